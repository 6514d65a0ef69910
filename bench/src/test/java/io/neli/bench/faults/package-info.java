/**
 * Faults on a real cluster: three brokers and three members in processes of their own, a seeded nemesis, and a checker
 * of all that they did.
 */
package io.neli.bench.faults;
