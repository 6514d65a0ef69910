package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;
import io.neli.NeliException;

/** The servers of the election, of one kind. Loads also where the client of that kind is not on the class path. */
@FunctionalInterface
interface MemberServers {

    /**
     * Knows the servers, and none of the other settings yet.
     *
     * @throws NeliException if they cannot be reached like that
     */
    NeliBuilder builder();
}
