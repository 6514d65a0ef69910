/** Leader election over a Kafka topic: what an application uses. Start at {@link io.neli.Neli}. */
@NullMarked
package io.neli;

import org.jspecify.annotations.NullMarked;
