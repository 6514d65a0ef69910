/**
 * One start of a member, with whatever {@link io.neli.internal.member.Engine} decides who leads: its life cycle, the
 * gate for its work, its events in order, its roles.
 */
@NullMarked
package io.neli.internal.member;

import org.jspecify.annotations.NullMarked;
