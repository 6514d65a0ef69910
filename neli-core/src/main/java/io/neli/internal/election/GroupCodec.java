package io.neli.internal.election;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import io.neli.Mode;
import org.jspecify.annotations.Nullable;

/** Encodes what the members and the assignor send through the consumer group. The first byte is a version. */
public final class GroupCodec {

    private static final int VERSION = 1;

    private GroupCodec() {}

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    public static byte[] encode(MemberMetadata metadata) {
        return write(out -> {
            write(out, metadata.member());
            out.writeBoolean(metadata.eligible());
            write(out, metadata.groupConfig());
            out.writeInt(metadata.leading().size());
            for (Map.Entry<Integer, Long> led : metadata.leading().entrySet()) {
                out.writeInt(led.getKey());
                out.writeLong(led.getValue());
            }
        });
    }

    /**
     * Decodes a member's metadata.
     *
     * @throws IllegalArgumentException if the bytes are not valid
     */
    public static MemberMetadata decodeMetadata(byte[] bytes) {
        return read(bytes, in -> {
            MemberId member = readMember(in);
            boolean eligible = in.readBoolean();
            GroupConfig groupConfig = readGroupConfig(in);
            Map<Integer, Long> leading = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                leading.put(in.readInt(), in.readLong());
            }
            return new MemberMetadata(member, eligible, leading, groupConfig);
        });
    }

    public static byte[] encode(AssignmentPlan plan) {
        return write(out -> {
            write(out, plan.groupConfig());
            out.writeInt(plan.eligible().size());
            for (Map.Entry<MemberId, Boolean> member : plan.eligible().entrySet()) {
                write(out, member.getKey());
                out.writeBoolean(member.getValue());
            }
            out.writeInt(plan.shares().size());
            for (Map.Entry<Integer, AssignmentPlan.Share> share : plan.shares().entrySet()) {
                out.writeInt(share.getKey());
                write(out, share.getValue());
            }
        });
    }

    /**
     * Decodes an assignment.
     *
     * @throws IllegalArgumentException if the bytes are not valid
     */
    public static AssignmentPlan decodePlan(byte[] bytes) {
        return read(bytes, in -> {
            GroupConfig groupConfig = readGroupConfig(in);
            Map<MemberId, Boolean> eligible = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                eligible.put(readMember(in), in.readBoolean());
            }
            Map<Integer, AssignmentPlan.Share> shares = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                shares.put(in.readInt(), readShare(in));
            }
            return new AssignmentPlan(groupConfig, eligible, shares);
        });
    }

    private static void write(DataOutputStream out, MemberId member) throws IOException {
        out.writeUTF(member.name());
        out.writeLong(member.incarnation().getMostSignificantBits());
        out.writeLong(member.incarnation().getLeastSignificantBits());
    }

    private static MemberId readMember(DataInputStream in) throws IOException {
        return new MemberId(in.readUTF(), new UUID(in.readLong(), in.readLong()));
    }

    private static void write(DataOutputStream out, GroupConfig groupConfig) throws IOException {
        out.writeUTF(groupConfig.mode().name());
        out.writeInt(groupConfig.partitions());
        out.writeUTF(groupConfig.roles());
    }

    private static GroupConfig readGroupConfig(DataInputStream in) throws IOException {
        return new GroupConfig(Mode.valueOf(in.readUTF()), in.readInt(), in.readUTF());
    }

    private static void write(DataOutputStream out, AssignmentPlan.Share share) throws IOException {
        out.writeBoolean(share.owner() != null);
        if (share.owner() != null) {
            write(out, share.owner());
        }
        out.writeBoolean(share.countedToken() != null);
        if (share.countedToken() != null) {
            out.writeLong(share.countedToken());
        }
    }

    private static AssignmentPlan.Share readShare(DataInputStream in) throws IOException {
        @Nullable MemberId owner = in.readBoolean() ? readMember(in) : null;
        @Nullable Long token = in.readBoolean() ? (Long) in.readLong() : null;
        return new AssignmentPlan.Share(owner, token);
    }

    private static byte[] write(Writer content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            content.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reader<T> content) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException("group data of unknown version " + version);
            }
            return content.read(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read group data of " + bytes.length + " bytes", e);
        }
    }
}
