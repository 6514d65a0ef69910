package io.neli.sample.lab.history;

/** How long the changes of a role's leader took. */
public record Statistics(String role, Summary planned, Summary unplanned) {}
