package io.neli.spring.autoconfigure.info;

import java.util.LinkedHashMap;
import java.util.Map;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Which member this is, and who leads each role with which token as far as it knows. */
final class NeliInfoContributor implements InfoContributor {

    private final Neli neli;

    NeliInfoContributor(Neli neli) {
        this.neli = neli;
    }

    @Override
    public void contribute(Info.Builder builder) {
        NeliSnapshot snapshot = neli.snapshot();
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("name", snapshot.name());
        detail.put("group", snapshot.groupId());
        detail.put("topic", snapshot.topic());
        detail.put("roles", roles(snapshot));
        builder.withDetail("neli", detail);
    }

    /** A role that nobody is known to lead has neither leader nor token: the latest term is over. */
    private static Map<String, Object> roles(NeliSnapshot snapshot) {
        Map<String, Object> roles = new LinkedHashMap<>();
        for (NeliSnapshot.Partition partition : snapshot.partitions()) {
            Map<String, Object> led = new LinkedHashMap<>();
            partition.leader().ifPresent(leader -> {
                led.put("leader", leader);
                partition.token().ifPresent(token -> led.put("token", token));
            });
            partition.roles().forEach(name -> roles.put(name, led));
        }
        return roles;
    }
}
