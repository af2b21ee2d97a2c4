package io.agenthooks.spring.observation;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * For handlers that {@link OwnMeterHandler} is not in front of: an application may add
 * some. A denied meter costs a lock of the registry of meters each time.
 */
final class OwnMeterFilter implements MeterFilter, BeanPostProcessor {

	@Override
	public MeterFilterReply accept(Meter.Id id) {
		return (OwnMeters.isOfObservation(id.getName())) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof MeterRegistry registry) {
			registry.config().meterFilter(this);
		}
		return bean;
	}

}
