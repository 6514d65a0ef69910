package io.neli.protocol;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

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

    public static byte[] encode(Subscription subscription) {
        return write(out -> {
            write(out, subscription.member());
            out.writeBoolean(subscription.standing());
            write(out, subscription.agreement());
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
    public static Subscription decodeSubscription(byte[] bytes) {
        return read(bytes, in -> {
            MemberId member = readMember(in);
            boolean standing = in.readBoolean();
            Agreement agreement = readAgreement(in);
            Map<Integer, Long> leading = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                leading.put(in.readInt(), in.readLong());
            }
            return new Subscription(member, standing, leading, agreement);
        });
    }

    public static byte[] encode(Assignment assignment) {
        return write(out -> {
            write(out, assignment.agreement());
            out.writeInt(assignment.standing().size());
            for (Map.Entry<MemberId, Boolean> member : assignment.standing().entrySet()) {
                write(out, member.getKey());
                out.writeBoolean(member.getValue());
            }
            out.writeInt(assignment.shares().size());
            for (Map.Entry<Integer, Assignment.Share> share :
                    assignment.shares().entrySet()) {
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
    public static Assignment decodeAssignment(byte[] bytes) {
        return read(bytes, in -> {
            Agreement agreement = readAgreement(in);
            Map<MemberId, Boolean> standing = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                standing.put(readMember(in), in.readBoolean());
            }
            Map<Integer, Assignment.Share> shares = new HashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                shares.put(in.readInt(), readShare(in));
            }
            return new Assignment(agreement, standing, shares);
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

    private static void write(DataOutputStream out, Agreement agreement) throws IOException {
        out.writeUTF(agreement.mode().name());
        out.writeInt(agreement.partitions());
        out.writeUTF(agreement.roles());
    }

    private static Agreement readAgreement(DataInputStream in) throws IOException {
        Mode mode = Mode.valueOf(in.readUTF());
        int partitions = in.readInt();
        if (partitions < 1 || partitions > Agreement.MOST_PARTITIONS) {
            throw new IllegalArgumentException("an agreement on " + partitions + " partitions");
        }
        return new Agreement(mode, partitions, in.readUTF());
    }

    private static void write(DataOutputStream out, Assignment.Share share) throws IOException {
        out.writeBoolean(share.owner() != null);
        if (share.owner() != null) {
            write(out, share.owner());
        }
        out.writeBoolean(share.countedToken() != null);
        if (share.countedToken() != null) {
            out.writeLong(share.countedToken());
        }
    }

    private static Assignment.Share readShare(DataInputStream in) throws IOException {
        @Nullable MemberId owner = in.readBoolean() ? readMember(in) : null;
        @Nullable Long token = in.readBoolean() ? (Long) in.readLong() : null;
        return new Assignment.Share(owner, token);
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
