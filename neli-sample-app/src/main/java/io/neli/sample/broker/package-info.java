/** Apache Kafka's broker as a separate process, so that the sample needs nothing but a JDK. */
@NullMarked
package io.neli.sample.broker;

import org.jspecify.annotations.NullMarked;
