package io.neli.sample.lab.view;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A button of the page.
 *
 * @param slot the same in all states
 * @param refusal why its action is not possible now; null if it is
 */
record Button(String slot, String action, String label, @Nullable String refusal) {

    /** Offers the first action that is possible now, with a label that ends with {@code object}. */
    static Button of(List<String> actions, Map<String, @Nullable String> refusals, String object) {
        String action = actions.stream()
                .filter(each -> refusals.get(each) == null)
                .findFirst()
                .orElse(actions.get(0));
        String label = action.substring(0, 1).toUpperCase(Locale.ROOT) + action.substring(1) + object;
        return new Button(actions.get(0), action, label, refusals.get(action));
    }
}
