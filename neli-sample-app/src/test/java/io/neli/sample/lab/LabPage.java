package io.neli.sample.lab;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;

/** The lab's page as its user sees it. */
final class LabPage {

    static final List<String> INSTANCES = List.of("alice", "bob", "carol");

    private final Browser browser;

    LabPage(Browser browser) {
        this.browser = browser;
    }

    static ConditionFactory eventually(String what) {
        return Awaitility.await(what)
                .atMost(Duration.ofMinutes(3))
                .ignoreExceptionsMatching(
                        e -> e instanceof NoSuchElementException || e instanceof StaleElementReferenceException);
    }

    WebElement find(String selector) {
        return browser.driver().findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return browser.driver().findElements(By.cssSelector(selector));
    }

    String text(String selector) {
        return find(selector).getText().replaceAll("\\s+", " ");
    }

    /** The leader, or the empty string. */
    String leader() {
        return find("#headline").getDomAttribute("data-leader");
    }

    String awaitLeader() {
        return eventually("a leader").until(this::leader, leader -> !leader.isEmpty());
    }

    String awaitLeaderAfter(String former) {
        return eventually("a leader after " + former)
                .until(this::leader, leader -> !leader.isEmpty() && !leader.equals(former));
    }

    /** Waits for this leader's write. From then on, the broker refuses writes of an earlier leader. */
    void awaitWriteOf(String leader) {
        eventually("the newest entry to be of " + leader)
                .until(() -> all("#ledger .entry[data-outcome=committed]").stream()
                        .findFirst()
                        .filter(entry -> entry.getText().contains(leader))
                        .isPresent());
    }

    String state(String instance) {
        return card(instance).getDomAttribute("data-state");
    }

    void awaitState(String instance, String... states) {
        eventually(instance + " to be " + String.join(" or ", states))
                .until(() -> List.of(states).contains(state(instance)));
    }

    WebElement card(String instance) {
        return find(".instance[data-instance=" + instance + "]");
    }

    /** The token shown for the instance, or zero. */
    long token(String instance) {
        String token = card(instance).findElement(By.cssSelector(".token")).getText();
        return token.isEmpty() ? 0 : Long.parseLong(token.substring("token ".length()));
    }

    WebElement button(String instance, String action) {
        return card(instance).findElement(By.cssSelector("[data-action=" + action + "]"));
    }

    boolean offers(String instance, String action) {
        return all(".instance[data-instance=" + instance + "] [data-action=" + action + "][aria-disabled=false]")
                        .size()
                == 1;
    }

    void press(String instance, String action) {
        eventually(action + " to be offered for " + instance).until(() -> offers(instance, action));
        button(instance, action).click();
    }

    String brokerState(String broker) {
        return find(of(broker) + " .condition").getDomAttribute("data-state");
    }

    void awaitBroker(String broker, String state) {
        eventually(broker + " to be " + state).until(() -> state.equals(brokerState(broker)));
    }

    void pressBroker(String broker, String action) {
        String button = of(broker) + " [data-action=" + action + "][aria-disabled=false]";
        eventually(action + " to be offered for " + broker)
                .until(() -> all(button).size() == 1);
        find(button).click();
    }

    private static String of(String broker) {
        return ".broker[data-broker=" + broker + "]";
    }

    long heldLogs() {
        return all("#logs [data-held=true]").size();
    }

    /** The cells of the newest change. */
    List<String> latestChange() {
        return all("#changes tbody tr:first-child td").stream()
                .map(WebElement::getText)
                .toList();
    }

    /** Undoes what a test has done: starts all brokers and instances, connects them, and waits for a leader. */
    void recover() {
        eventually("connection")
                .until(() -> find("#connection").getDomAttribute("data-state").equals("live"));
        eventually("the brokers to recover").until(() -> {
            all(".broker :is([data-action=start], [data-action=thaw])[aria-disabled=false]")
                    .forEach(LabPage::clickOnce);
            return !all(".broker").isEmpty()
                    && all(".broker .condition:not([data-state=up])").isEmpty();
        });
        for (String instance : INSTANCES) {
            eventually(instance + " to recover").until(() -> {
                for (String cure : List.of("start", "thaw", "heal")) {
                    if (offers(instance, cure)) {
                        clickOnce(button(instance, cure));
                    }
                }
                return List.of("leading", "standby").contains(state(instance));
            });
        }
        awaitLeader();
    }

    /** Clicks, and waits until the page no longer offers the action: another click before that would be refused. */
    private static void clickOnce(WebElement button) {
        String action = button.getDomAttribute("data-action");
        button.click();
        eventually("an effect of " + action).until(() -> !isOffered(button, action));
    }

    /** Whether the button still offers the action. It may offer something else, or be gone. */
    private static boolean isOffered(WebElement button, String action) {
        try {
            return action.equals(button.getDomAttribute("data-action"))
                    && "false".equals(button.getDomAttribute("aria-disabled"));
        } catch (StaleElementReferenceException e) {
            return false;
        }
    }
}
