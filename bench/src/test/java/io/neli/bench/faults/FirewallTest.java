package io.neli.bench.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.neli.programs.Needs;
import io.neli.programs.Program;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

@Needs(Program.IPTABLES)
class FirewallTest {

    private static final int PORT = 11_999; // not used otherwise

    @BeforeEach
    void needs_root() {
        assumeThat(Firewall.isPossible()).as("root").isTrue();
    }

    private static List<String> rules() throws IOException {
        Process process = new ProcessBuilder(Program.IPTABLES.path().toString(), "-w", "-S").start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(Firewall.CHAIN))
                .toList();
    }

    @Test
    void its_rules_end_with_it() throws IOException {
        try (Firewall firewall = Firewall.open()) {
            firewall.cut(1, PORT);
            assertThat(rules()).anySatisfy(rule -> assertThat(rule).contains("--dport " + PORT, "REJECT"));
            firewall.pass();
            assertThat(rules()).isNotEmpty().noneMatch(rule -> rule.contains("REJECT"));
            firewall.cut(1, PORT);
        }
        assertThat(rules()).isEmpty();
    }

    @Test
    void what_another_one_has_left_behind_is_removed() throws IOException {
        try (Firewall leftBehind = Firewall.open()) {
            leftBehind.cut(1, PORT);
            try (Firewall next = Firewall.open()) {
                next.cut(2, PORT);
                assertThat(rules()).filteredOn(rule -> rule.contains("REJECT")).hasSize(1);
            }
        }
        assertThat(rules()).isEmpty();
    }
}
