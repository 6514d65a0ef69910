package io.neli;

/**
 * Who leads.
 *
 * @param role the role that is led
 * @param name the name of the leading member, as configured there
 * @param token the term's fencing token
 * @param self whether it is this member
 */
public record Leader(String role, String name, long token, boolean self) {}
