package io.neli.spring.gate;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.neli.Neli;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** Resolves the role that an annotation names, and refuses an invalid one. */
final class RoleResolver implements SmartInitializingSingleton {

    private final ConfigurableBeanFactory beans;
    private final Queue<Runnable> checks = new ConcurrentLinkedQueue<>();
    private volatile boolean complete;

    RoleResolver(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns the role with its placeholders resolved, and refuses a blank one. An empty role means the election's
     * default role, and stays empty.
     */
    String resolve(String role, AnnotatedPlace place) {
        if (role.isEmpty()) {
            return role;
        }
        String resolved = withoutPlaceholders(role, place);
        if (resolved == null || resolved.isBlank()) {
            throw place.refusal(
                    "its role '" + role + "' is blank" + (role.isBlank() ? "" : " once it is resolved"),
                    "name a role, or leave the attribute out for the first of neli.roles");
        }
        check(() -> verifyListed(resolved, place));
        return resolved;
    }

    /**
     * Runs a check that needs other beans: when all singletons exist, before any is started; immediately if they exist.
     */
    void check(Runnable check) {
        checks.add(check);
        if (complete) {
            afterSingletonsInstantiated();
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        for (Runnable check = checks.poll(); check != null; check = checks.poll()) {
            check.run();
        }
    }

    private void verifyListed(String role, AnnotatedPlace place) {
        Neli neli = beans.getBean(Neli.class);
        List<String> listed = neli.roles();
        if (!listed.isEmpty() && !listed.contains(role)) {
            throw place.refusal(
                    "its role '" + role + "' is not in neli.roles, which is " + listed,
                    nearest(role, listed)
                                    .map(near -> "did you mean '" + near + "'? Otherwise ")
                                    .orElse("") + "add it at the end of the list, or name a role of the list");
        }
        int unused = place.named(() -> neli.partitionOf(role));
    }

    /** The listed role that a misspelt one probably means; at most half of the letters may be wrong. */
    private static Optional<String> nearest(String role, List<String> listed) {
        return listed.stream()
                .filter(each -> distance(role, each) * 2 <= role.length())
                .min(Comparator.comparingInt(each -> distance(role, each)));
    }

    /** How many letters to add, remove or change, by Levenshtein. */
    private static int distance(String from, String to) {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 0; i < from.length(); i++) {
            int diagonal = row[0]++;
            for (int j = 0; j < to.length(); j++) {
                int changed = diagonal + (from.charAt(i) == to.charAt(j) ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = Math.min(changed, 1 + Math.min(row[j], diagonal));
            }
        }
        return row[to.length()];
    }

    private @Nullable String withoutPlaceholders(String role, AnnotatedPlace place) {
        IllegalArgumentException cause = null;
        try {
            String resolved = beans.resolveEmbeddedValue(role);
            if (resolved == null || !resolved.contains("${")) { // a lenient resolver leaves unknown ones
                return resolved;
            }
        } catch (IllegalArgumentException e) {
            cause = e;
        }
        throw place.refusal(
                "the placeholder in its role '" + role + "' has no value",
                "set the property, or give the placeholder a default",
                cause);
    }
}
