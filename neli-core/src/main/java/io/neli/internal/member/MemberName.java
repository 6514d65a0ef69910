package io.neli.internal.member;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import org.jspecify.annotations.Nullable;

/** The name of a member: as configured, or made of host, process id and time. */
public final class MemberName {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS");

    private MemberName() {}

    /** Checks the name; creates one if it is null. */
    public static String checked(@Nullable String name) {
        return SettingsCheck.name(name == null ? created() : name);
    }

    private static String created() {
        return host() + "_" + ProcessHandle.current().pid() + "_" + TIME.format(LocalDateTime.now(ZoneOffset.UTC));
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
