package io.neli.sample.lab;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.WebElement;

import static io.neli.sample.lab.LabPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** The lab with three brokers, as its user sees it. */
@Tag("proof")
@Timeout(900)
class LabBrokersPageIT extends LabInBrowser {

    private static final List<String> BROKERS = List.of("broker-1", "broker-2", "broker-3");
    private static final String LOGS = "[{ topic: 'neli', icon: 'leading', held: true, text: 'held by bob' },"
            + " { topic: 'neli.1', icon: 'down', held: false, text: 'not readable' }]";

    /** Sets a lease longer than a busy machine stalls for. */
    LabBrokersPageIT() {
        super("--brokers=3", "--neli.lease-duration=5s");
    }

    @Test
    void each_broker_can_be_killed_and_started_again_and_the_others_stay_up() {
        for (String killed : BROKERS) {
            page.pressBroker(killed, "kill");

            page.awaitBroker(killed, "down");
            assertThat(BROKERS).filteredOn(broker -> !broker.equals(killed)).allMatch(broker -> page.brokerState(broker)
                    .equals("up"));
            eventually("the mark")
                    .until(
                            () -> page.all("#timeline [data-key=" + killed + "] .mark[data-kind=kill]"),
                            marks -> !marks.isEmpty());
            page.awaitLeader();

            page.pressBroker(killed, "start");
            page.awaitBroker(killed, "up");
        }
    }

    @Test
    void the_leader_keeps_leading_without_any_one_broker() {
        page.awaitLeader();
        awaitAllLogs();
        String headline = page.text("#detail");
        for (String killed : BROKERS) {
            awaitAllLogs();

            page.pressBroker(killed, "kill");
            eventually("a log to be lost").until(() -> page.heldLogs() == BROKERS.size() - 1);

            assertThat(page.text("#detail")).as("the token, and since when").isEqualTo(headline);
            page.pressBroker(killed, "start");
        }
    }

    private void awaitAllLogs() {
        eventually("all logs to be held").until(() -> page.heldLogs() == BROKERS.size());
    }

    @Test
    void an_instance_is_cut_off_from_all_brokers_at_once() {
        String cut = page.awaitLeader();

        page.press(cut, "cut");

        page.awaitLeaderAfter(cut);
    }

    @Test
    void a_frozen_broker_can_be_thawed_and_a_stopped_one_started() {
        page.pressBroker("broker-2", "freeze");
        page.awaitBroker("broker-2", "frozen");
        page.pressBroker("broker-2", "thaw");
        page.awaitBroker("broker-2", "up");

        page.pressBroker("broker-3", "stop");
        page.awaitBroker("broker-3", "down");
        page.pressBroker("broker-3", "start");
        page.awaitBroker("broker-3", "up");
    }

    @Test
    void the_logs_that_the_leader_holds_are_shown_if_there_are_several() throws IOException {
        browser.run("const fetched = window.fetch; window.fetch = async (path, options) => {"
                + " const response = await fetched(path, options); if (path !== '/api/view') { return response; }"
                + " return new Response(JSON.stringify({ ...await response.json(), logs: window.logs })); };"
                + " window.logs = " + LOGS);

        eventually("the logs").until(() -> page.all("#logs li").stream()
                .map(WebElement::getText)
                .map(text -> text.replaceAll("\\s+", " "))
                .toList()
                .equals(List.of("neli held by bob", "neli.1 not readable")));
        assertThat(page.heldLogs()).isOne();
        picture("lab-brokers.png");

        browser.run("window.logs = []");

        eventually("no logs").until(() -> !page.find(".logs").isDisplayed());
    }
}
