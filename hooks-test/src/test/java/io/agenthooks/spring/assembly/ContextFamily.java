package io.agenthooks.spring.assembly;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import io.agenthooks.spring.guard.ChildContextGuard;
import io.agenthooks.spring.guard.UnguardedBeansException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The other context in which a thing that runs tools is a bean.
 */
enum ContextFamily {

	PLAIN_PARENT(true) {

		@Override
		void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			context.setParent(started(plain(thing, runs, null)));
		}

	},

	LAZY_IN_A_PLAIN_PARENT(true) {

		@Override
		void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext parent = new AnnotationConfigApplicationContext();
			thing.register(runs, parent, (definition) -> definition.setLazyInit(true));
			context.setParent(started(parent));
		}

	},

	PROTOTYPE_IN_A_PLAIN_GRANDPARENT(true) {

		@Override
		void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext grandparent = new AnnotationConfigApplicationContext();
			thing.register(runs, grandparent, (definition) -> definition.setScope("prototype"));
			GenericApplicationContext parent = new AnnotationConfigApplicationContext();
			parent.setParent(started(grandparent));
			context.setParent(started(parent));
		}

	},

	IN_A_LIST_OF_A_PLAIN_PARENT(true) {

		@Override
		void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext parent = new AnnotationConfigApplicationContext();
			parent.getBeanFactory().registerSingleton(GuardedThing.NAME, List.of(thing.make(runs)));
			context.setParent(started(parent));
		}

	},

	PLAIN_CHILD(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			refused(plain(thing, runs, context));
		}

	},

	LAZY_IN_A_PLAIN_CHILD(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext child = new AnnotationConfigApplicationContext();
			child.setParent(context);
			thing.register(runs, child, (definition) -> definition.setLazyInit(true));
			refused(child);
		}

	},

	READY_MADE_IN_A_PLAIN_GRANDCHILD(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext child = new AnnotationConfigApplicationContext();
			child.setParent(context);
			GenericApplicationContext grandchild = new AnnotationConfigApplicationContext();
			grandchild.setParent(started(child));
			grandchild.getBeanFactory().registerSingleton(GuardedThing.NAME, thing.make(runs));
			refused(grandchild);
		}

	},

	CHILD_STARTED_WHILE_THE_PARENT_STARTS(true) {

		@Override
		void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			((GenericApplicationContext) context).registerBean("plugins", Plugins.class,
					() -> new Plugins(started(plain(thing, runs, context))));
		}

	},

	GUARDED_CHILD(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext child = plain(thing, runs, context);
			context.getBean(ChildContextGuard.class).initialize(child);
			child.refresh();
			thing.call(child.getBean(GuardedThing.NAME));
			child.close();
		}

	},

	READY_MADE_IN_A_GUARDED_CHILD(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext child = new AnnotationConfigApplicationContext();
			child.setParent(context);
			context.getBean(ChildContextGuard.class).initialize(child);
			child.getBeanFactory().registerSingleton(GuardedThing.NAME, thing.make(runs));
			refused(child);
		}

	},

	CHILD_OF_SPRING_BOOT(false) {

		@Override
		void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
			GenericApplicationContext child = plain(thing, runs, context);
			new ActiveHooksInitializer().initialize(child);
			child.refresh();
			thing.call(child.getBean(GuardedThing.NAME));
			child.close();
		}

	};

	private final boolean stopsTheStart;

	ContextFamily(boolean stopsTheStart) {
		this.stopsTheStart = stopsTheStart;
	}

	boolean stopsTheStart() {
		return this.stopsTheStart;
	}

	void before(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
	}

	void after(GuardedThing thing, AtomicInteger runs, ConfigurableApplicationContext context) {
	}

	static GenericApplicationContext plain(GuardedThing thing, AtomicInteger runs,
			@Nullable ConfigurableApplicationContext parent) {
		GenericApplicationContext context = new AnnotationConfigApplicationContext();
		context.setParent(parent);
		thing.register(runs, context, (definition) -> {
		});
		return context;
	}

	static ConfigurableApplicationContext started(GenericApplicationContext context) {
		context.refresh();
		return context;
	}

	static void refused(GenericApplicationContext child) {
		assertThatExceptionOfType(UnguardedBeansException.class).isThrownBy(child::refresh)
			.withMessageContaining("'" + GuardedThing.NAME + "'");
		assertThat(child.isActive()).isFalse();
	}

	record Plugins(ConfigurableApplicationContext context) {
	}

}
