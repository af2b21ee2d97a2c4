package io.agenthooks.spring.assembly;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;

/**
 * How a thing that runs tools becomes a bean.
 */
enum BeanWay {

	PLAIN(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> {
			});
		}

	},

	LAZY(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> definition.setLazyInit(true));
		}

	},

	PROTOTYPE(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> definition.setScope("prototype"));
		}

	},

	DECLARED_AS_OBJECT(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, Function.identity(), ResolvableType.forClass(Object.class), (definition) -> {
			});
		}

	},

	READY_MADE(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			context.getBeanFactory().registerSingleton(GuardedThing.NAME, thing.make(runs));
		}

	},

	READY_MADE_IN_A_LIST(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			context.getBeanFactory().registerSingleton(GuardedThing.NAME, new ArrayList<>(List.of(thing.make(runs))));
		}

	},

	READY_MADE_IN_AN_OPTIONAL(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			context.getBeanFactory().registerSingleton(GuardedThing.NAME, Optional.of(thing.make(runs)));
		}

	},

	NEEDED_BY_A_FACTORY_POST_PROCESSOR(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> {
			});
			context.addBeanFactoryPostProcessor((factory) -> factory.getBean(GuardedThing.NAME));
		}

	},

	NEEDED_BY_THE_FIRST_POST_PROCESSOR(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> {
			});
			context.registerBean("aFirst", FirstPostProcessor.class,
					() -> new FirstPostProcessor(context.getBean(GuardedThing.NAME)));
		}

	},

	HIDDEN_BY_A_LATER_POST_PROCESSOR(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> {
			});
			Object bare = thing.make(runs);
			context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
		}

	},

	LAZY_AND_HIDDEN(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (definition) -> definition.setLazyInit(true));
			Object bare = thing.make(runs);
			context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
			context.registerBean("caller", Caller.class, () -> new Caller(context));
		}

	},

	IN_AN_OPTIONAL(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, Optional::of, ResolvableType.forClassWithGenerics(Optional.class, thing.type),
					(definition) -> {
					});
		}

	},

	IN_A_LIST(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, List::of, ResolvableType.forClassWithGenerics(List.class, thing.type),
					(definition) -> {
					});
		}

	},

	IN_A_SET(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, Set::of, ResolvableType.forClassWithGenerics(Set.class, thing.type),
					(definition) -> {
					});
		}

	},

	IN_A_MAP(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> Map.of("one", one),
					ResolvableType.forClassWithGenerics(Map.class, String.class, thing.type), (definition) -> {
					});
		}

	},

	IN_A_MAP_OF_LISTS(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> Map.of("all", List.of(one)), ResolvableType.forClass(Map.class),
					(definition) -> {
					});
		}

	},

	IN_AN_ARRAY_OF_ITS_TYPE(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			Class<?> array = thing.type.arrayType();
			thing.register(runs, context, (one) -> {
				Object[] things = (Object[]) Array.newInstance(thing.type, 1);
				things[0] = one;
				return things;
			}, ResolvableType.forClass(array), (definition) -> {
			});
		}

	},

	IN_A_LAZY_LIST(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
					(definition) -> definition.setLazyInit(true));
		}

	},

	IN_A_LIST_OF_A_PROTOTYPE(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
					(definition) -> definition.setScope("prototype"));
		}

	},

	IN_A_LIST_THAT_IS_LAZY_AND_HIDDEN(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, List::of, ResolvableType.forClass(List.class),
					(definition) -> definition.setLazyInit(true));
			Object bare = List.of(thing.make(runs));
			context.registerBean("hiding", HidingPostProcessor.class, () -> new HidingPostProcessor(bare));
			context.registerBean("caller", Caller.class, () -> new Caller(context));
		}

	},

	AS_THE_KEY_OF_A_MAP(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> Map.of(one, "one"), ResolvableType.forClass(Map.class),
					(definition) -> {
					});
		}

	},

	IN_A_REFERENCE(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, AtomicReference::new, ResolvableType.forClass(AtomicReference.class),
					(definition) -> {
					});
		}

	},

	IN_A_FUTURE(false) {

		@Override
		@SuppressWarnings("FutureReturnValueIgnored") // the bean is the future
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			Function<Object, Object> future = CompletableFuture::completedFuture;
			thing.register(runs, context, future,
					ResolvableType.forClassWithGenerics(CompletableFuture.class, thing.type), (definition) -> {
					});
		}

	},

	GIVEN_BY_A_SUPPLIER(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
					ResolvableType.forClassWithGenerics(Supplier.class, thing.type), (definition) -> {
					});
		}

	},

	GIVEN_BY_A_LAZY_SUPPLIER(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (Supplier<Object>) () -> one,
					ResolvableType.forClassWithGenerics(Supplier.class, thing.type),
					(definition) -> definition.setLazyInit(true));
		}

	},

	GIVEN_BY_A_SUPPLIER_OF_LISTS(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (Supplier<Object>) () -> List.of(one), ResolvableType
				.forClassWithGenerics(Supplier.class, ResolvableType.forClassWithGenerics(List.class, thing.type)),
					(definition) -> {
					});
		}

	},

	GIVEN_BY_A_SUPPLIER_OF_SUPPLIERS(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> {
				Supplier<Object> inner = () -> one;
				return (Supplier<Object>) () -> inner;
			}, ResolvableType.forClassWithGenerics(Supplier.class,
					ResolvableType.forClassWithGenerics(Supplier.class, thing.type)), (definition) -> {
					});
		}

	},

	GIVEN_BY_SUPPLIERS_IN_A_MAP(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing
				.register(runs, context, (one) -> Map.of("one", List.of((Supplier<Object>) () -> one)),
						ResolvableType.forClassWithGenerics(Map.class, ResolvableType.forClass(String.class),
								ResolvableType.forClassWithGenerics(List.class,
										ResolvableType.forClassWithGenerics(Supplier.class, thing.type))),
						(definition) -> {
						});
		}

	},

	GIVEN_BY_AN_OBJECT_FACTORY(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (ObjectFactory<Object>) () -> one,
					ResolvableType.forClassWithGenerics(ObjectFactory.class, thing.type), (definition) -> {
					});
		}

	},

	GIVEN_BY_AN_OBJECT_PROVIDER(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, OwnProvider::new,
					ResolvableType.forClassWithGenerics(ObjectProvider.class, thing.type), (definition) -> {
					});
		}

	},

	GIVEN_BY_A_CALLABLE(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (Callable<Object>) () -> one,
					ResolvableType.forClassWithGenerics(Callable.class, thing.type), (definition) -> {
					});
		}

	},

	GIVEN_BY_A_FUNCTION(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> (Function<Object, Object>) (name) -> one,
					ResolvableType.forClassWithGenerics(Function.class, String.class, thing.type), (definition) -> {
					});
		}

	},

	READY_MADE_AFTER_THE_START(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			Object one = thing.make(runs);
			context.registerBean("late", Late.class, () -> new Late(context, one));
		}

	},

	READY_MADE_IN_A_MAP_AFTER_THE_START(false) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			Object one = Map.of("all", List.of(thing.make(runs)));
			context.registerBean("late", Late.class, () -> new Late(context, one));
		}

	},

	IN_AN_ARRAY(true) {

		@Override
		void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context) {
			thing.register(runs, context, (one) -> new Object[] { one }, ResolvableType.forClass(Object[].class),
					(definition) -> {
					});
		}

	};

	private final boolean mayStart;

	BeanWay(boolean mayStart) {
		this.mayStart = mayStart;
	}

	boolean mayStart() {
		return this.mayStart;
	}

	abstract void add(GuardedThing thing, AtomicInteger runs, GenericApplicationContext context);

	/**
	 * Registers a bean when everything has started.
	 */
	record Late(GenericApplicationContext context, Object bean) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			this.context.getBeanFactory().registerSingleton(GuardedThing.NAME, this.bean);
		}

	}

	record OwnProvider(Object given) implements ObjectProvider<Object> {

		@Override
		public Object getObject() {
			return this.given;
		}

		@Override
		public Stream<Object> stream() {
			return Stream.of(this.given);
		}

		@Override
		public Iterator<Object> iterator() {
			return stream().iterator();
		}

	}

	/**
	 * Uses a lazy bean when everything has started.
	 */
	record Caller(GenericApplicationContext context) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			this.context.getBean(GuardedThing.NAME);
		}

	}

	record FirstPostProcessor(Object needed) implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

	record HidingPostProcessor(Object bare) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (beanName.equals(GuardedThing.NAME)) ? this.bare : bean;
		}

	}

}
