package io.neli.spring.gate;

import java.util.List;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Resolves the role that an annotation names, and refuses one that cannot be meant. */
final class RoleResolver {

    private final ConfigurableBeanFactory beans;

    /** Asks the bean factory when it resolves, not before. */
    RoleResolver(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The role with its placeholders resolved; an empty one is the election's default role, and stays empty.
     *
     * @throws NeliException if a placeholder has no value, or the role is blank or missing in {@code neli.roles}
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
        List<String> listed = Binder.get(beans.getBean(Environment.class))
                .bind("neli.roles", Bindable.listOf(String.class))
                .orElseGet(List::of);
        if (!listed.isEmpty() && !listed.contains(resolved)) {
            throw place.refusal(
                    "its role '" + resolved + "' is not in neli.roles, which is " + listed,
                    "add it to the list on all members, or name a role of the list");
        }
        return resolved;
    }

    private @Nullable String withoutPlaceholders(String role, AnnotatedPlace place) {
        IllegalArgumentException cause = null;
        try {
            String resolved = beans.resolveEmbeddedValue(role);
            if (resolved == null || !resolved.contains("${")) { // a lenient resolver leaves it as it is
                return resolved;
            }
        } catch (IllegalArgumentException e) {
            cause = e;
        }
        NeliException refusal = place.refusal(
                "the placeholder in its role '" + role + "' has no value",
                "set the property, or give the placeholder a default");
        refusal.initCause(cause);
        throw refusal;
    }
}
