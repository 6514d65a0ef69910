package io.neli.internal.member;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

import io.neli.Mode;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.internal.election.GroupConfig;
import org.jspecify.annotations.Nullable;

/** Maps each role to its partition. */
public final class Roles {

    /** The fingerprint of an empty list. */
    private static final String NO_ROLES = "none";

    private static final int FINGERPRINT_LENGTH = 16;

    private final List<String> listed;
    /** Whether each partition has a role of its own, so that roles may be added. */
    private final boolean extendable;

    private final Map<String, Integer> fixed = new HashMap<>();
    private final List<List<String>> announced;

    private Roles(List<String> listed, int partitions, boolean extendable) {
        this.listed = List.copyOf(listed);
        this.extendable = extendable;
        List<List<String>> byPartition = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            byPartition.add(new ArrayList<>());
            fixed.put(ofPartition(partition), partition);
        }
        fixed.put(Neli.DEFAULT_ROLE, 0);
        for (int place = 0; place < listed.size(); place++) {
            fixed.put(listed.get(place), place % partitions);
            byPartition.get(place % partitions).add(listed.get(place));
        }
        for (int partition = 0; partition < partitions; partition++) {
            if (byPartition.get(partition).isEmpty()) {
                byPartition.get(partition).add(partition == 0 ? Neli.DEFAULT_ROLE : ofPartition(partition));
            }
        }
        this.announced = byPartition.stream().map(List::copyOf).toList();
    }

    /**
     * Checks the roles and maps them to partitions.
     *
     * @param partitions null for as many as there are roles, at least 1
     * @throws NeliException if a setting is invalid
     */
    public static Roles checked(List<String> roles, @Nullable Integer partitions) {
        if (partitions == null) {
            List<String> extendable = SettingsCheck.extendableRoles(roles);
            return new Roles(extendable, Math.max(1, extendable.size()), true);
        }
        int count = SettingsCheck.partitions(partitions);
        return new Roles(SettingsCheck.roles(roles, count), count, false);
    }

    GroupConfig groupConfig(Mode mode, int quorum) {
        return extendable
                ? new GroupConfig(mode, named(), quorum)
                : new GroupConfig(mode, partitions(), fingerprint(), quorum);
    }

    /** The default role if none is listed, so that a list that begins with it can be introduced later. */
    List<String> named() {
        return listed.isEmpty() ? List.of(Neli.DEFAULT_ROLE) : listed;
    }

    /** The role that always means this partition. */
    public static String ofPartition(int partition) {
        return "partition-" + partition;
    }

    /** The role of methods without a role parameter. */
    String first() {
        return named().get(0);
    }

    List<String> listed() {
        return listed;
    }

    public int partitions() {
        return announced.size();
    }

    /**
     * The partition that the role maps to.
     *
     * @throws NeliException if it is not listed and the number of partitions was not set
     */
    int partitionOf(String role) {
        Integer known = fixed.get(role);
        if (known != null) {
            return known;
        }
        if (extendable) {
            throw new NeliException(
                    "the role is '" + role + "': neli.roles, which are " + named() + ", do not have it",
                    "add it at the end of neli.roles, or set neli.partitions, with which any name is a role");
        }
        CRC32 checksum = new CRC32();
        checksum.update(role.getBytes(StandardCharsets.UTF_8));
        return (int) (checksum.getValue() % partitions());
    }

    /** The roles of the partition that have events; never empty. */
    public List<String> announcedOn(int partition) {
        return announced.get(partition);
    }

    /** Differs for different lists, even for the same names in another order. */
    String fingerprint() {
        if (listed.isEmpty()) {
            return NO_ROLES;
        }
        MessageDigest digest = sha256();
        for (String role : listed) {
            byte[] name = role.getBytes(StandardCharsets.UTF_8);
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).array());
            digest.update(name);
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, FINGERPRINT_LENGTH);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
