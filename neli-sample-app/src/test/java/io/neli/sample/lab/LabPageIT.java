package io.neli.sample.lab;

import java.io.IOException;
import java.util.List;

import io.neli.harness.Link;
import io.neli.harness.Network;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import static io.neli.sample.lab.LabPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Starts the jar and opens the lab's page in a browser, as its user does. */
@Tag("proof")
@NullUnmarked
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LabPageIT extends LabInBrowser {

    /** So many freezes do not all happen between two writes. */
    private static final int FREEZES = 5;

    @Test
    void after_a_kill_another_instance_leads_and_the_page_shows_how_long_it_took() {
        String killed = page.awaitLeader();
        List<String> earlier = page.latestChange();

        page.press(killed, "kill");

        String leader = page.awaitLeaderAfter(killed);
        page.awaitState(leader, "leading");
        page.awaitState(killed, "down");
        List<String> change = eventually("the change")
                .until(page::latestChange, latest -> !latest.isEmpty() && !latest.equals(earlier));
        assertThat(change.subList(1, 3)).containsExactly(killed + " → " + leader, "killed");
        assertThat(page.text("#unplanned .last")).isEqualTo(change.get(3)).matches("[\\d.]+ (ms|s|min \\d+ s)");
        assertThat(page.text("#unplanned .figures")).contains("min", "median", "max");
        assertThat(page.find("#announcer").getDomProperty("textContent")).startsWith(leader + " leads with token ");
        assertThat(browser.run("const table = document.getElementById('changes');"
                        + " return (parseFloat(getComputedStyle(table.parentElement).maxHeight) - table.tHead.offsetHeight)"
                        + " % table.tBodies[0].rows[0].getBoundingClientRect().height"))
                .as("what is seen of the last row")
                .isEqualTo(0L);
        assertThat(page.all("#timeline .gap")).isNotEmpty();
        assertThat(page.all("#timeline .mark[data-kind=kill]")).isNotEmpty();
    }

    /** Tokens have 13 digits, and the state of a frozen leader has the longest text. */
    @Test
    void the_page_and_a_phone_have_room_for_tokens() {
        String frozen = page.awaitLeader();
        page.awaitWriteOf(frozen);
        page.press(frozen, "freeze");
        page.awaitState(frozen, "frozen");

        assertThat(page.token(frozen)).isGreaterThan(1_000_000_000_000L);
        assertRoomForTokens();
        browser.size(PHONE, true);
        assertRoomForTokens();
    }

    private void assertRoomForTokens() {
        assertThat(browser.run("return [...document.querySelectorAll('.instance .state, #ledger .entries')]"
                        + ".filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"))
                .as("what is too wide")
                .isEqualTo(List.of());
        assertThat(browser.run(
                        "const [, word, token] = document.querySelector('.instance[data-state=frozen] .state').children;"
                                + " return token.getBoundingClientRect().top < word.getBoundingClientRect().bottom"))
                .as("state and token on one line")
                .isEqualTo(true);
    }

    @Test
    void the_leader_topic_tells_who_led_when() {
        String killed = page.awaitLeader();
        page.find("#terms summary").click();
        page.press(killed, "kill");
        String leader = page.awaitLeaderAfter(killed);

        eventually("both terms").untilAsserted(() -> {
            List<WebElement> rows = page.all("#terms tbody tr");
            assertThat(rows).hasSizeGreaterThanOrEqualTo(2);
            assertThat(rows.get(0).getText()).contains(leader, "leads");
            assertThat(rows.get(1).getText()).contains(killed, "fell silent");
        });
        page.find("#terms summary").click();
    }

    @Test
    void a_stale_write_of_a_thawed_leader_is_refused() {
        refuseWrite();

        assertThat(page.text("#ledger .refusals")).contains("refused");
        assertThat(page.all("#timeline .mark[data-kind=refused]")).isNotEmpty();
    }

    /** Freezes leaders until a write is refused: one that is frozen between two writes has no write to refuse. */
    private void refuseWrite() {
        for (int freeze = 1; freeze <= FREEZES; freeze++) {
            String frozen = page.awaitLeader();
            long token = page.token(frozen);
            page.awaitWriteOf(frozen);

            page.press(frozen, "freeze");
            page.awaitState(frozen, "frozen");
            String leader = page.awaitLeaderAfter(frozen);
            page.awaitWriteOf(leader);
            assertThat(page.token(leader)).isGreaterThan(token);
            page.press(frozen, "thaw");

            page.awaitState(frozen, "fenced", "standby");
            String why = "Token " + token + " is stale: " + leader;
            // Its write ends before it stops being shown as fenced.
            String end = eventually("the end of the write")
                    .until(
                            () -> isRefused(frozen, why) ? "refused" : page.state(frozen),
                            found -> List.of("refused", "standby", "leading").contains(found));
            if (end.equals("refused")) {
                return;
            }
        }
        throw new AssertionError("After " + FREEZES + " freezes no write was refused.");
    }

    private boolean isRefused(String instance, String why) {
        return page.all("#ledger .entry[data-outcome=refused]").stream()
                .map(WebElement::getText)
                .anyMatch(text -> text.contains(instance) && text.contains(why));
    }

    @Test
    void a_button_can_be_pressed_with_the_keyboard_and_keeps_the_focus() {
        String resigning = page.awaitLeader();
        WebElement button = page.button(resigning, "resign");

        WebElement focused = page.find("body");
        for (int stops = 0; !focused.equals(button) && stops < 60; stops++) {
            focused.sendKeys(Keys.TAB);
            focused = browser.driver().switchTo().activeElement();
        }
        assertThat(focused).isEqualTo(button);
        button.sendKeys(Keys.ENTER);

        page.awaitLeaderAfter(resigning);
        eventually("the planned change").until(() -> page.latestChange().contains("resigned"));
        assertThat(browser.driver().switchTo().activeElement()).isEqualTo(button);
        assertThat(page.text("#planned .last")).matches("[\\d.]+ (ms|s)");
    }

    @Test
    void a_lost_connection_is_shown_and_restored() throws IOException {
        try (Network network = new Network()) {
            Link link = network.link(lab.address().getPort());
            browser.open("http://" + link.address());
            eventually("the connection").until(() -> page.text("#connection").equals("Live"));
            String leader = page.awaitLeader();

            link.silence();
            eventually("the silence").until(() -> page.text("#connection").contains("reconnecting"));
            assertThat(page.leader()).as("what was there stays").isEqualTo(leader);
            browser.offline(true);
            page.button(leader, "kill").click();
            eventually("the press").until(() -> page.card(leader).getText().contains("The lab cannot be reached."));
            browser.offline(false);
            link.pass();

            eventually("the connection").until(() -> page.text("#connection").equals("Live"));
            browser.expect("net::ERR_INTERNET_DISCONNECTED");
            browser.open("about:blank");
        }
    }

    @Test
    void a_refusal_is_shown_next_to_the_button() {
        browser.run("const fetched = window.fetch; window.fetch = (path, options) => options.method === 'POST'"
                + " ? Promise.resolve(new Response(JSON.stringify({ detail: 'bob is busy; try again' }), { status: 409 }))"
                + " : fetched(path, options)");
        page.press("bob", "resign");
        eventually("the refusal").until(() -> page.card("bob").getText().contains("bob is busy; try again"));
        page.button("bob", "start").click();

        assertThat(page.card("bob").getText()).contains("bob is running already.");
    }

    @Test
    void the_timeline_can_be_read_as_text() {
        page.press(page.awaitLeader(), "resign");
        eventually("the mark")
                .until(() -> !page.all("#timeline .mark[data-kind=resign]").isEmpty());

        page.find("#events summary").sendKeys(Keys.ENTER);

        eventually("the list").until(() -> page.text("#events ol").contains("asked to resign"));
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void a_picture_shows_a_kill_and_a_refused_write() throws IOException {
        String killed = page.awaitLeader();
        page.press(killed, "kill");
        page.awaitLeaderAfter(killed);
        page.press(killed, "start");
        page.awaitState(killed, "standby");
        refuseWrite();

        picture("lab-light.png");
        browser.prefer("dark");
        picture("lab-dark.png");
        browser.prefer("light");
        browser.size(PHONE, true);
        picture("lab-phone.png");
    }
}
