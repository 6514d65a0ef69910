package io.neli.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;

/** Matches if the properties put the election on NATS. */
final class OnNatsCondition extends OnPropertyListCondition {

    OnNatsCondition() {
        super(NatsChoice.SERVERS, () -> ConditionMessage.forCondition("Election on NATS"));
    }
}
