package io.neli.sample.lab.web;

import java.io.IOException;
import java.util.Locale;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets the lab's own page in, and programs that are no browser. Any page that the user has open can make the browser send
 * requests to this machine; those say where they come from. One whose own name leads here (DNS rebinding) is told by the
 * host that it asks for.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SameOriginFilter extends OncePerRequestFilter {

    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        if (isOwn(request)) {
            chain.doFilter(request, response);
        } else {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
        }
    }

    private static boolean isOwn(HttpServletRequest request) {
        String host = request.getHeader("Host");
        return host != null
                && HOSTS.contains(withoutPort(host))
                && isOwn(request.getHeader("Origin"), host)
                && isFetchedByItself(request.getHeader("Sec-Fetch-Site"), request.getMethod());
    }

    private static String withoutPort(String host) {
        return host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isOwn(@Nullable String origin, String host) {
        return origin == null || origin.equalsIgnoreCase("http://" + host);
    }

    /** Typed in or bookmarked, it comes from none; a button does not. */
    private static boolean isFetchedByItself(@Nullable String site, String method) {
        return site == null || site.equals("same-origin") || (site.equals("none") && READING.contains(method));
    }
}
