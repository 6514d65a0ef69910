package io.neli;

/** A setting that cannot work. The message names the property, its value and the fix. */
public final class NeliConfigurationException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String property;

    NeliConfigurationException(String property, Object value, String problem) {
        super(property + " is '" + value + "': " + problem);
        this.property = property;
    }

    /** The name of the property, such as {@code neli.heartbeat-timeout}. */
    public String property() {
        return property;
    }
}
