package io.neli.sample.lab.view;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A button.
 *
 * @param slot the same in all states
 * @param refusal why its action is not possible now; null if it is
 */
record Button(String slot, String action, String label, @Nullable String refusal) {

    /** The first of the actions that is possible now counts. */
    static Button of(List<String> actions, Map<String, @Nullable String> refusals) {
        String action = actions.stream()
                .filter(each -> refusals.get(each) == null)
                .findFirst()
                .orElse(actions.get(0));
        String label = action.substring(0, 1).toUpperCase(Locale.ROOT) + action.substring(1);
        return new Button(actions.get(0), action, label, refusals.get(action));
    }
}
