package io.neli.spring.gate;

import java.util.List;

import io.neli.Neli;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** Resolves the role that an annotation names, and refuses an invalid one. */
final class RoleResolver implements SmartInitializingSingleton {

    private final ConfigurableBeanFactory beans;
    private final Deferred checks = new Deferred();

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
        String resolved = withoutPlaceholders("role", role, place);
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
    }

    @Override
    public void afterSingletonsInstantiated() {
        checks.open();
    }

    private void verifyListed(String role, AnnotatedPlace place) {
        Neli neli = beans.getBean(Neli.class);
        List<String> listed = neli.roles();
        if (!listed.isEmpty() && !listed.contains(role)) {
            throw place.refusal(
                    "its role '" + role + "' is not in neli.roles, which is " + listed,
                    "name a role of the list, or add it at its end");
        }
        int unused = place.named(() -> neli.partitionOf(role));
    }

    /** Returns the attribute's value with its placeholders resolved, and refuses one that has no value. */
    @Nullable
    String withoutPlaceholders(String attribute, String value, AnnotatedPlace place) {
        IllegalArgumentException cause = null;
        try {
            String resolved = beans.resolveEmbeddedValue(value);
            if (resolved == null || !resolved.contains("${")) { // a lenient resolver leaves unknown ones
                return resolved;
            }
        } catch (IllegalArgumentException e) {
            cause = e;
        }
        throw place.refusal(
                "the placeholder in its " + attribute + " '" + value + "' has no value",
                "set the property, or give the placeholder a default",
                cause);
    }
}
