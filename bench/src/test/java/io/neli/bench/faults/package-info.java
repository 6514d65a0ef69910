/**
 * Runs faults on a real cluster: three brokers and three members in separate processes, a seeded nemesis, and a checker
 * of everything they did.
 */
package io.neli.bench.faults;
