package io.neli.bench.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.neli.cluster.JavaProcess;
import io.neli.harness.ChildProcess;
import io.neli.programs.Program;

/**
 * Blocks brokers from ports of this machine. Links cannot do that: brokers learn each other's addresses from the
 * controller, which gives the same ones to all. So each broker runs as its own user, and rules name users and ports. A
 * separate process removes their chain when this JVM ends, however it ends. Needs root.
 */
final class Firewall implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    static final String CHAIN = "NELI-FAULTS"; // only one per machine

    private static final int FIRST_USER = 61_000; // no system assigns these by default

    /** Removes the chain first: an interrupted run may have left it behind, if this script was killed too. */
    private static final String SCRIPT = String.join(
            "\n",
            "trap '' INT TERM",
            "remove() { for what in '-D OUTPUT -j' -F -X; do \"$1\" -w $what \"$2\" 2>&-; done; }",
            "remove \"$@\"",
            "\"$1\" -w -N \"$2\" && \"$1\" -w -I OUTPUT -j \"$2\" && echo made || echo refused",
            "cat > /dev/null", // waits until the JVM or close() ends standard input
            "remove \"$@\"");

    private final ChildProcess keeper;

    private Firewall(ChildProcess keeper) {
        this.keeper = keeper;
    }

    /** Whether this process may create rules. */
    static boolean isPossible() {
        return Program.IPTABLES.find().isPresent() && succeeds("-w", "-S", "OUTPUT");
    }

    /** Opens a firewall without rules. */
    static Firewall open() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        try {
            ChildProcess keeper = new ChildProcess(
                    new ProcessBuilder("sh", "-c", SCRIPT, "sh", iptables(), CHAIN),
                    JavaProcess.logDirectory().resolve("firewall.log"));
            keeper.read(answer::complete);
            Firewall firewall = new Firewall(keeper);
            if (!answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join().equals("made")) {
                firewall.close();
                throw new IllegalStateException("The brokers cannot be separated: that needs root");
            }
            return firewall;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String iptables() {
        return Program.IPTABLES.path().toString();
    }

    private static String user(int broker) {
        return Integer.toString(FIRST_USER + broker);
    }

    /** The command that starts the broker as its user, who may read and write whatever root may. */
    List<String> launcher(int broker) {
        return List.of(
                "setpriv",
                "--reuid=" + user(broker),
                "--inh-caps=+dac_override",
                "--ambient-caps=+dac_override",
                "--securebits=+no_setuid_fixup"); // otherwise the kernel drops the capabilities
    }

    /** From now on, rejects the broker's packets to that port with a reset, even those of open connections. */
    void cut(int broker, int port) {
        require("-w -A " + CHAIN + " -p tcp -m owner --uid-owner " + user(broker) + " --dport " + port
                + " -j REJECT --reject-with tcp-reset");
    }

    /** Removes all rules. */
    void pass() {
        require("-w -F " + CHAIN);
    }

    private static void require(String arguments) {
        if (!succeeds(arguments.split(" "))) {
            throw new IllegalStateException("iptables " + arguments + " has failed");
        }
    }

    private static boolean succeeds(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(iptables());
        builder.command().addAll(List.of(arguments));
        try {
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            keeper.io().getOutputStream().close();
        } catch (IOException e) {
            // the process has ended
        }
        keeper.awaitEnd(LIMIT);
    }
}
