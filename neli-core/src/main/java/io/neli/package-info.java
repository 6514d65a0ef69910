/**
 * Leader election over a Kafka topic: what an application touches.
 *
 * <p>Start at {@link io.neli.Neli}. The packages below this one are not for applications, but for
 * {@link io.neli.protocol.Mode} and the reasons in {@link io.neli.protocol.RevokeReason} and
 * {@link io.neli.protocol.FenceReason}, which the events carry.
 */
@NullMarked
package io.neli;

import org.jspecify.annotations.NullMarked;
