package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** Where the instances meet the broker: the locks, the broker's address, its log and its data. */
record BrokerDirectory(Path path) {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /**
     * Opens the directory, and creates it if it is not there; its parent may be writable by everybody.
     *
     * @param configured the directory, or null for the default below the system's temporary directory
     * @throws IOException if it is not a directory of this user's
     */
    static BrokerDirectory open(@Nullable String configured) throws IOException {
        Path path = configured != null ? Path.of(configured) : byDefault();
        path = path.toAbsolutePath().normalize();
        create(path);
        return new BrokerDirectory(path);
    }

    static Path byDefault() {
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9._-]", "_");
        return Path.of(System.getProperty("java.io.tmpdir"), "neli-sample-" + user);
    }

    private static void create(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        try {
            Files.createDirectory(
                    path,
                    posix
                            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                            : new FileAttribute<?>[0]);
            return;
        } catch (FileAlreadyExistsException e) {
            // made by an earlier run, or by somebody else
        }
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw refused(path, "is not a directory");
        }
        if (!Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).equals(currentUser())) {
            throw refused(path, "belongs to another user");
        }
        if (posix) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }

    /** Whom the system takes this process for; the user.name property may be anything. */
    private static UserPrincipal currentUser() throws IOException {
        Path probe = Files.createTempFile("neli-sample", null);
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }

    private static IOException refused(Path path, String why) {
        return new IOException(path + " " + why + "; set sample.broker.directory to another directory");
    }

    Path usersLock() {
        return path.resolve("users.lock");
    }

    Path startLock() {
        return path.resolve("start.lock");
    }

    Path brokerLock() {
        return path.resolve("broker.lock");
    }

    /** What the broker's process prints. */
    Path log() {
        return path.resolve("broker.log");
    }

    /** Where the broker listens, once it does; left behind by one that was killed. */
    Optional<String> address() throws IOException {
        try {
            return Optional.of(Files.readString(addressFile()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Says where the broker listens, whole or not at all. */
    void announce(String address) throws IOException {
        Path draft = path.resolve("address.new");
        Files.writeString(draft, address);
        Files.move(draft, addressFile(), StandardCopyOption.ATOMIC_MOVE);
    }

    void forgetAddress() throws IOException {
        Files.deleteIfExists(addressFile());
    }

    private Path addressFile() {
        return path.resolve("address");
    }

    /** An empty directory for the data of one run of the broker; those of earlier runs go, as far as the system lets them. */
    Path newDataDirectory() throws IOException {
        for (Path old : dataDirectories()) {
            deleteData(old);
        }
        return Files.createTempDirectory(path, "data-");
    }

    private List<Path> dataDirectories() throws IOException {
        try (Stream<Path> children = Files.list(path)) {
            return children.filter(child -> child.getFileName().toString().startsWith("data-"))
                    .toList();
        }
    }

    static void deleteData(Path data) {
        try {
            FileSystemUtils.deleteRecursively(data);
        } catch (IOException e) {
            // the next run tries again, and uses another directory whether or not it can
        }
    }
}
