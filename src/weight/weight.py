#!/usr/bin/env python3
"""Print what the starter adds to a minimal web application: jars, classes, processor time, memory, beans.

    weight.py [--runs N]

It packages the starter as it lies here, and starts one application in three ways, in turn: without the starter, with the starter and no hook,
and with one policy. Each figure is the median of the runs (5 unless told otherwise). Processor time does not count waiting, but a machine
that has nothing else to do tells more.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

APPLICATION = '''package minimal;

import java.lang.management.ManagementFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

@SpringBootApplication
public class Minimal {

	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(Minimal.class, args)) {
			var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
			long time = system.getProcessCpuTime();
			System.gc();
			var memory = ManagementFactory.getMemoryMXBean();
			long used = memory.getHeapMemoryUsage().getUsed() + memory.getNonHeapMemoryUsage().getUsed();
			long beans = java.util.Arrays.stream(context.getBeanDefinitionNames())
				.filter((name) -> String.valueOf(context.getBeanFactory().getMergedBeanDefinition(name)).contains("io.agenthooks"))
				.count();
			System.out.printf("{\\"classes\\": %d, \\"processor ms\\": %d, \\"memory KB\\": %d, \\"beans of ours\\": %d}%n",
					ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount(), time / 1_000_000, used / 1024, beans);
		}
	}

}
'''

POM = '''<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><parent>
<groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId><version>%s</version><relativePath/></parent>
<groupId>minimal</groupId><artifactId>minimal</artifactId><version>1</version><dependencies><dependency>
<groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-webmvc</artifactId></dependency></dependencies></project>
'''

POLICY = '''spring.main.banner-mode: "off"
hooks:
  tool_call:
    pre_call:
      - type: policy
        config: {deny_argument_patterns: {command: ["sudo"]}}
'''

# What an application with the starter may have more than one without, and the times of that without
GOALS = {'jars': '+16', 'MB of jars': '+6', 'classes': '+400', 'processor ms': 1.10, 'memory KB': 1.10}
GOALS_OF_POLICY = {'processor ms': 1.20, 'memory KB': 1.20, 'beans of ours': '+30'}


def run(command, folder, **options):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(command[:6])} ...\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


def class_path(folder, *arguments):
    """The libraries that Maven gives a project."""
    output = pathlib.Path(folder) / 'target' / 'weight.txt'
    run(['mvn', '-B', '-ntp', '-q', *arguments, 'dependency:build-classpath', '-DincludeScope=runtime', '-Dmdep.outputFile=target/weight.txt'],
        ROOT if arguments else folder)
    return [jar for jar in output.read_text().strip().split(os.pathsep) if jar]


def own_jar(entry):
    """The packaged module, where Maven names its folder of classes."""
    folder = pathlib.Path(entry)
    if folder.suffix == '.jar' and '-SNAPSHOT' not in folder.name:
        return entry
    target = folder.parent
    return str(next(jar for jar in target.glob('hooks-*-SNAPSHOT.jar')))


def measured(jars, classes, configuration):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / 'application.yaml').write_text(configuration)
        output = run(['java', '-cp', os.pathsep.join([str(classes), *jars]), 'minimal.Minimal', '--server.port=0',
                      f'--spring.config.location=file:{folder}/application.yaml', '--logging.level.root=warn'], folder)
    figures = json.loads(next(line for line in output.splitlines() if line.startswith('{"classes"')))
    return {'jars': len(jars), 'MB of jars': sum(pathlib.Path(jar).stat().st_size for jar in jars) / 1e6} | figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runs', type=int, default=5)
    runs = parser.parse_args().runs
    boot = re.search(r'<spring-boot.version>([^<]+)', (ROOT / 'pom.xml').read_text()).group(1)
    starter = ROOT / 'hooks-spring-boot-starter'
    ours = [own_jar(entry) for entry in class_path(starter, '-Dmaven.test.skip=true', '-Dstyle.phase=none', '-pl',
                                               'hooks-spring-boot-starter', '-am', 'package')]
    ours += [str(jar) for jar in (starter / 'target').glob('hooks-*-SNAPSHOT.jar')]
    with tempfile.TemporaryDirectory(prefix='weight-') as work:
        folder = pathlib.Path(work)
        (folder / 'pom.xml').write_text(POM % boot)
        (folder / 'Minimal.java').write_text(APPLICATION)
        bare = class_path(folder)
        run(['javac', '-d', work, '-cp', os.pathsep.join(bare), 'Minimal.java'], folder)
        # Of a library that both bring there is one, as Maven would have it
        names = {pathlib.Path(jar).name for jar in bare}
        full = bare + [jar for jar in ours if pathlib.Path(jar).name not in names]
        no_hook = POLICY.split('hooks:')[0]
        ways = {'without': (bare, no_hook), 'starter': (full, no_hook), 'one policy': (full, POLICY)}
        measurements = {name: [] for name in ways}
        for _ in range(runs):
            for name, (jars, configuration) in ways.items():
                measurements[name].append(measured(jars, folder, configuration))
    print('| | ' + ' | '.join(ways) + ' | starter | goal | one policy | goal |\n|' + '---|' * (len(ways) + 5))
    for figure in measurements['without'][0]:
        values = [statistics.median(run[figure] for run in measurements[name]) for name in ways]
        cells = [f'{value:,.1f}' if figure == 'MB of jars' else f'{value:,.0f}' for value in values]
        for value, goals in ((values[1], GOALS), (values[2], GOALS_OF_POLICY)):
            goal = goals.get(figure, '')
            cells.append(f'{value / values[0]:.2f} x' if isinstance(goal, float) else f'{value - values[0]:+,.1f}' if figure == 'MB of jars'
                         else f'{value - values[0]:+,.0f}')
            cells.append(f'{goal:.2f} x' if isinstance(goal, float) else goal)
        print(f'| {figure} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    main()
