/**
 * One start of a member, with any {@link io.neli.internal.member.Engine}: its life cycle, work, events, roles, jobs and
 * snapshots.
 */
@NullMarked
package io.neli.internal.member;

import org.jspecify.annotations.NullMarked;
