/** Apache Kafka's broker as a process of its own, so that the sample runs with nothing installed but a JDK. */
@NullMarked
package io.neli.sample.broker;

import org.jspecify.annotations.NullMarked;
