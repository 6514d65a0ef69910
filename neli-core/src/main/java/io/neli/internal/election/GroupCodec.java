package io.neli.internal.election;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Encodes what the members and the assignor send through the consumer group. The first byte is a version; bytes at the
 * end that this version does not know are ignored. Kafka stores the data of the whole group in one record of at most a
 * megabyte, so the format is compact: usually small numbers have variable length, and an assignment refers to members
 * by number.
 */
public final class GroupCodec {

    private static final int VERSION = 1;

    /** Whether a member was counted as eligible, by number; null if it was not counted. */
    private static final List<@Nullable Boolean> COUNTED = Arrays.asList(null, false, true);

    private GroupCodec() {}

    private interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    private interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    public static byte[] encode(MemberMetadata metadata) {
        return write(out -> {
            out.writeUTF(metadata.member().name());
            out.writeLong(metadata.member().incarnation().getMostSignificantBits());
            out.writeLong(metadata.member().incarnation().getLeastSignificantBits());
            out.writeBoolean(metadata.eligible());
            out.writeInt(metadata.priority());
            out.writeUTF(metadata.groupConfig());
            writeNumber(out, metadata.partitions());
            writeNumber(out, metadata.leading().size());
            for (Map.Entry<Integer, Long> led : metadata.leading().entrySet()) {
                writeNumber(out, led.getKey());
                out.writeLong(led.getValue());
            }
            writeNumbers(out, metadata.excluded());
        });
    }

    /** Inverts {@link #encode(MemberMetadata)}. Throws IllegalArgumentException if the bytes are not valid. */
    public static MemberMetadata decodeMetadata(byte[] bytes) {
        return read(bytes, in -> {
            MemberId member = new MemberId(in.readUTF(), new UUID(in.readLong(), in.readLong()));
            boolean eligible = in.readBoolean();
            int priority = in.readInt();
            String groupConfig = in.readUTF();
            int partitions = readNumber(in, GroupConfig.MOST_PARTITIONS);
            if (partitions == 0) {
                throw new IllegalArgumentException("no partitions");
            }
            Map<Integer, Long> leading = new HashMap<>();
            for (int left = readNumber(in, partitions); left > 0; left--) {
                leading.put(readNumber(in, partitions - 1), in.readLong());
            }
            Set<Integer> excluded = readNumbers(in, partitions);
            return new MemberMetadata(member, eligible, excluded, priority, leading, groupConfig, partitions);
        });
    }

    public static byte[] encode(MemberPlan plan) {
        Map<MemberHash, Integer> numbers = numbers(plan.shares());
        return write(out -> {
            out.writeUTF(plan.groupConfig());
            writeNumber(out, plan.members());
            writeNumber(out, COUNTED.indexOf(plan.countedEligible()));
            writeNumber(out, plan.shares().size());
            writeNumber(out, numbers.size());
            for (MemberHash member : numbers.keySet()) {
                out.writeLong(member.bits());
            }
            for (MemberPlan.Share share : plan.shares()) {
                writeNumber(out, number(share.owner(), numbers));
            }
            writeNumber(out, (int)
                    plan.shares().stream().filter(GroupCodec::hasDetails).count());
            for (int partition = 0; partition < plan.shares().size(); partition++) {
                MemberPlan.Share share = plan.shares().get(partition);
                if (hasDetails(share)) {
                    writeNumber(out, partition);
                    out.writeBoolean(share.countedToken() != null);
                    if (share.countedToken() != null) {
                        out.writeLong(share.countedToken());
                    }
                    writeNumber(out, number(share.deputy(), numbers));
                }
            }
            writeNumbers(out, plan.excluded());
            writeNumbers(out, plan.alone());
        });
    }

    /** Inverts {@link #encode(MemberPlan)}. Throws IllegalArgumentException if the bytes are not valid. */
    public static MemberPlan decodePlan(byte[] bytes) {
        return read(bytes, in -> {
            String groupConfig = in.readUTF();
            int members = readNumber(in, Integer.MAX_VALUE);
            @Nullable Boolean countedEligible = COUNTED.get(readNumber(in, COUNTED.size() - 1));
            int partitions = readNumber(in, GroupConfig.MOST_PARTITIONS);
            List<@Nullable MemberHash> numbered = new ArrayList<>();
            numbered.add(null);
            for (int left = readNumber(in, 2 * partitions); left > 0; left--) {
                numbered.add(new MemberHash(in.readLong()));
            }
            List<MemberPlan.Share> shares = new ArrayList<>();
            for (int partition = 0; partition < partitions; partition++) {
                shares.add(new MemberPlan.Share(readMember(in, numbered), null, null));
            }
            for (int left = readNumber(in, partitions); left > 0; left--) {
                int partition = readNumber(in, partitions - 1);
                @Nullable Long token = in.readBoolean() ? (Long) in.readLong() : null;
                @Nullable MemberHash owner = shares.get(partition).owner();
                shares.set(partition, new MemberPlan.Share(owner, token, readMember(in, numbered)));
            }
            Set<Integer> excluded = readNumbers(in, partitions);
            Set<Integer> alone = readNumbers(in, partitions);
            return new MemberPlan(groupConfig, members, countedEligible, excluded, alone, shares);
        });
    }

    /** Owners and deputies, numbered from 1; 0 is nobody. */
    private static Map<MemberHash, Integer> numbers(List<MemberPlan.Share> shares) {
        Map<MemberHash, Integer> numbers = new LinkedHashMap<>();
        for (MemberPlan.Share share : shares) {
            number(share.owner(), numbers);
            number(share.deputy(), numbers);
        }
        return numbers;
    }

    private static int number(@Nullable MemberHash member, Map<MemberHash, Integer> numbers) {
        return member == null ? 0 : numbers.computeIfAbsent(member, added -> numbers.size() + 1);
    }

    private static @Nullable MemberHash readMember(DataInputStream in, List<@Nullable MemberHash> numbered)
            throws IOException {
        return numbered.get(readNumber(in, numbered.size() - 1));
    }

    private static boolean hasDetails(MemberPlan.Share share) {
        return share.countedToken() != null || share.deputy() != null;
    }

    private static void writeNumbers(DataOutputStream out, Set<Integer> numbers) throws IOException {
        writeNumber(out, numbers.size());
        for (int number : numbers) {
            writeNumber(out, number);
        }
    }

    private static Set<Integer> readNumbers(DataInputStream in, int below) throws IOException {
        Set<Integer> numbers = new HashSet<>();
        for (int left = readNumber(in, below); left > 0; left--) {
            numbers.add(readNumber(in, below - 1));
        }
        return numbers;
    }

    /** Seven bits per byte, the lowest first; the highest bit says that more follow. */
    private static void writeNumber(DataOutputStream out, int number) throws IOException {
        int rest = number;
        while (rest > 0x7f) {
            out.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    private static int readNumber(DataInputStream in, int most) throws IOException {
        long number = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            int part = in.readUnsignedByte();
            number |= (part & 0x7fL) << shift;
            if (part < 0x80) {
                break;
            }
        }
        if (number > most) {
            throw new IllegalArgumentException("group data with the number " + number + ", of at most " + most);
        }
        return (int) number;
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
