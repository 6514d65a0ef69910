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

/** How subscriptions and assignments travel through the consumer group, as bytes with a version in front. */
public final class GroupCodec {

    private static final int VERSION = 1;

    private GroupCodec() {}

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    public static byte[] encode(MemberMetadata subscription) {
        return write(out -> {
            write(out, subscription.member());
            out.writeBoolean(subscription.eligible());
            write(out, subscription.groupConfig());
            out.writeInt(subscription.leading().size());
            for (Map.Entry<Integer, Long> led : subscription.leading().entrySet()) {
                out.writeInt(led.getKey());
                out.writeLong(led.getValue());
            }
        });
    }

    /**
     * Reads a subscription.
     *
     * @throws IllegalArgumentException if these are not the bytes of one
     */
    public static MemberMetadata decodeMetadata(byte[] bytes) {
        return read(bytes, in -> {
            MemberId member = readMember(in);
            boolean eligible = in.readBoolean();
            GroupConfig groupConfig = readAgreement(in);
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
     * Reads an assignment.
     *
     * @throws IllegalArgumentException if these are not the bytes of one
     */
    public static AssignmentPlan decodePlan(byte[] bytes) {
        return read(bytes, in -> {
            GroupConfig groupConfig = readAgreement(in);
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

    private static GroupConfig readAgreement(DataInputStream in) throws IOException {
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
            throw new UncheckedIOException(e); // cannot happen: bytes go to memory
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reader<T> content) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException("version " + version + " of the group data is not known");
            }
            return content.read(in);
        } catch (IOException e) {
            throw new IllegalArgumentException("group data of " + bytes.length + " bytes cannot be read", e);
        }
    }
}
