package io.neli.cluster;

import java.util.List;

/** What the servers know of a group of members. */
public interface GroupView extends AutoCloseable {

    /** Waits until the group has these members, and the leader among them owns the first partition. */
    void awaitSettled(List<String> names, String leader);

    @Override
    void close();
}
