package io.neli.spring.gate;

import java.lang.annotation.Annotation;
import java.util.List;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Resolves the role that an annotation names, and refuses one that cannot be meant. */
public final class RoleResolver {

    private static final String PLACEHOLDER = "${";

    private final ConfigurableBeanFactory beans;

    /** Asks the bean factory when it resolves, not before. */
    public RoleResolver(ConfigurableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The role with its placeholders resolved; an empty one is the election's default role, and stays empty.
     *
     * @param place what carries the annotation, for people
     * @throws NeliException if a placeholder has no value, or the role is blank or missing in {@code neli.roles}
     */
    public String resolve(String role, Class<? extends Annotation> annotation, String place) {
        if (role.isEmpty()) {
            return role;
        }
        String resolved = withoutPlaceholders(role, annotation, place);
        if (resolved == null || resolved.isBlank()) {
            throw Refusal.of(
                    annotation,
                    place,
                    "its role '" + role + "' is blank" + (role.isBlank() ? "" : " once it is resolved"),
                    "name a role, or leave the attribute out for the first of neli.roles");
        }
        List<String> listed = listed();
        if (!listed.isEmpty() && !listed.contains(resolved)) {
            throw Refusal.of(
                    annotation,
                    place,
                    "its role '" + resolved + "' is not in neli.roles, which is " + listed,
                    "add it to the list on all members, or name a role of the list");
        }
        return resolved;
    }

    private @Nullable String withoutPlaceholders(String role, Class<? extends Annotation> annotation, String place) {
        @Nullable String resolved;
        try {
            resolved = beans.resolveEmbeddedValue(role);
        } catch (IllegalArgumentException e) {
            throw unresolved(role, annotation, place, e);
        }
        if (resolved != null && resolved.contains(PLACEHOLDER)) { // a lenient resolver leaves it as it is
            throw unresolved(role, annotation, place, null);
        }
        return resolved;
    }

    private static NeliException unresolved(
            String role, Class<? extends Annotation> annotation, String place, @Nullable Throwable cause) {
        NeliException refusal = Refusal.of(
                annotation,
                place,
                "the placeholder in its role '" + role + "' has no value",
                "set the property, or give the placeholder a default");
        refusal.initCause(cause);
        return refusal;
    }

    private List<String> listed() {
        BindResult<List<String>> bound =
                Binder.get(beans.getBean(Environment.class)).bind("neli.roles", Bindable.listOf(String.class));
        return bound.isBound() ? bound.get() : List.of();
    }
}
