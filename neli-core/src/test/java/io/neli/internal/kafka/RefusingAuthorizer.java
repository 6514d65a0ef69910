package io.neli.internal.kafka;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;

/** An authorizer for brokers in this JVM: allows all but what a test has forbidden, by topic, group or client. */
public final class RefusingAuthorizer extends StandardAuthorizer {

    private static final Map<Resource, Set<AclOperation>> FORBIDDEN = new ConcurrentHashMap<>();

    private static final Set<String> SILENCED = ConcurrentHashMap.newKeySet();

    private record Resource(ResourceType type, String name) {}

    public static void forbid(ResourceType type, String name, AclOperation... operations) {
        FORBIDDEN.put(new Resource(type, name), Set.of(operations));
    }

    public static void allow(ResourceType type, String name) {
        FORBIDDEN.remove(new Resource(type, name));
    }

    /** Refuses writes of clients whose id has this prefix, whatever the topic. */
    public static void forbidWriting(String clientIdPrefix) {
        SILENCED.add(clientIdPrefix);
    }

    public static void allowWriting(String clientIdPrefix) {
        SILENCED.remove(clientIdPrefix);
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        return actions.stream()
                .map(action -> authorize(context.clientId(), action))
                .toList();
    }

    private static AuthorizationResult authorize(String clientId, Action action) {
        if (action.operation() == AclOperation.WRITE && SILENCED.stream().anyMatch(clientId::startsWith)) {
            return AuthorizationResult.DENIED;
        }
        // A general right to create topics would include this topic.
        boolean createsAnything = action.operation() == AclOperation.CREATE
                && action.resourcePattern().resourceType() == ResourceType.CLUSTER;
        Resource resource = new Resource(
                action.resourcePattern().resourceType(),
                action.resourcePattern().name());
        boolean forbidden = FORBIDDEN.getOrDefault(resource, Set.of()).contains(action.operation());
        return createsAnything || forbidden ? AuthorizationResult.DENIED : AuthorizationResult.ALLOWED;
    }
}
