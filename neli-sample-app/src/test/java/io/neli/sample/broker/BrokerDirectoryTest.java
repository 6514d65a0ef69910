package io.neli.sample.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BrokerDirectoryTest {

    @TempDir
    private Path parent;

    @Test
    void isCreatedWithItsParents() throws IOException {
        Path path = parent.resolve("a/b");
        assertThat(BrokerDirectory.open(path.toString()).path()).isEqualTo(path).isDirectory();
    }

    @Test
    void isTheUsersOwnBelowTheTemporaryDirectoryByDefault() {
        assertThat(BrokerDirectory.byDefault()).hasParentRaw(Path.of(System.getProperty("java.io.tmpdir")));
        assertThat(BrokerDirectory.byDefault().getFileName().toString()).startsWith("neli-sample-");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void isForItsOwnerOnlyAlsoIfItWasNot() throws IOException {
        Path path = parent.resolve("open");
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));

        BrokerDirectory.open(path.toString());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void refusesALinkThatSomebodyMayHaveLaidThere() throws IOException {
        Path link = parent.resolve("link");
        Files.createSymbolicLink(link, Files.createDirectory(parent.resolve("elsewhere")));

        assertThatThrownBy(() -> BrokerDirectory.open(link.toString()))
                .isInstanceOf(IOException.class)
                .hasMessage(link + " is not a directory; set sample.broker.directory to another directory");
    }

    @Test
    void refusesAFile() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThatThrownBy(() -> BrokerDirectory.open(file.toString())).hasMessageContaining("is not a directory");
    }

    @Test
    void keepsTheAddressUntilItIsForgotten() throws IOException {
        BrokerDirectory directory = BrokerDirectory.open(parent.toString());
        assertThat(directory.address()).isEmpty();

        directory.announce("127.0.0.1:1");
        directory.announce("127.0.0.1:2");
        assertThat(directory.address()).isEqualTo(Optional.of("127.0.0.1:2"));

        directory.forgetAddress();
        assertThat(directory.address()).isEmpty();
    }

    @Test
    void dropsTheDataOfEarlierRuns() throws IOException {
        BrokerDirectory directory = BrokerDirectory.open(parent.toString());
        Path first = directory.newDataDirectory();
        Files.createFile(first.resolve("segment"));

        Path second = directory.newDataDirectory();

        assertThat(first).doesNotExist();
        assertThat(second).isEmptyDirectory();
    }
}
