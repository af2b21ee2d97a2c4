#!/usr/bin/env python3
"""Make the bundle of a release, or check one as a stranger would. Needs Git, Maven, GnuPG, and the JDK of releases.

    release.py make VERSION [--home URL] [--key KEY] [--without-tests]
    release.py check BUNDLE.zip [--without-rebuild]
    release.py same-jars

`make` builds what is committed twice, in two folders, compares all files byte by byte, and signs them with the key (with GnuPG's default
key unless one is named). The bundle is then checked as `check` does it. It is not uploaded: Maven Central takes the file as it is.

`check` wants of each artifact what Maven Central wants (names, licences, developers, sources, Javadoc, checksums), a signature, the licence
in the jar, and a bill of materials that lists what the artifact's pom brings, under licences that we take. Then it builds what is checked
out here, and compares that with the bundle.

`same-jars` wants a build in this folder (`mvn verify`), builds the same sources in another folder, and compares the jars.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as XML
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
JDK = '17'  # Another JDK compiles to other bytes.
GROUP = 'io/agenthooks'
HOME = re.compile(r'(?<=<home\.page>)[^<]+')
SNAPSHOT = '0.1.0-SNAPSHOT'
POM = '{http://maven.apache.org/POM/4.0.0}'
# By the names that pages of licences and poms use
LICENSES = re.compile(
    r'apache|\bMIT\b|\bBSD\b|\bBSD-|\bEPL\b|eclipse public|eclipse distribution|\bEDL\b|\bCC0\b|public domain|\bMIT-0\b|\bMPL\b|universal permissive|\bUPL\b'
    r'|\bGo license\b|bouncy castle',
    re.IGNORECASE)


class Failed(Exception):
    """A check that does not hold."""


def run(command, folder, **options):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, **options)
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-6000:]}")
    return done.stdout


def require_jdk():
    version = re.search(r'Java version: (\d+)', run(['mvn', '-B', '-version'], ROOT))
    if not version or version.group(1) != JDK:
        raise Failed(f'Maven runs on JDK {version and version.group(1)}: set JAVA_HOME to a JDK {JDK}, which releases are made with')


def build(folder, version, home, with_tests):
    """Clone what is committed into a folder, give it the version and home page, and deploy it to a folder; return that."""
    run(['git', 'clone', '--quiet', str(ROOT), str(folder)], ROOT)
    for pom in folder.rglob('pom.xml'):
        text = pom.read_text()
        text = text.replace(SNAPSHOT, version)
        pom.write_text(HOME.sub(home, text) if home else text)
    staged = folder / 'staged'
    print(f"building {version} in {folder}, {'with' if with_tests else 'without'} tests")
    run(['mvn', '-B', '-ntp', '-Prelease', 'deploy', '-Dmaven.install.skip=true', 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:list',
         '-DincludeScope=runtime', '-DexcludeTransitive=false', '-DoutputFile=target/dependencies.txt',
         f'-DaltDeploymentRepository=staged::file:{staged}']
        + ([] if with_tests else ['-Dmaven.test.skip=true', '-Dstyle.phase=none']), folder)
    for file in list(staged.rglob('*')):
        # Jars of tests are for our own modules; metadata of versions is made by the repository.
        if file.is_file() and ('-tests.jar' in file.name or file.name.startswith('maven-metadata')):
            file.unlink()
    return staged


def files(folder):
    return {str(file.relative_to(folder)): file for file in sorted(folder.rglob('*')) if file.is_file()}


def compare(one, other):
    """Fail unless both folders have the same files with the same bytes, but for signatures."""
    def digests(folder):
        return {name: hashlib.sha256(file.read_bytes()).hexdigest() for name, file in files(folder).items()
                if '.asc' not in name}
    first, second = digests(one), digests(other)
    different = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    if different:
        raise Failed('not the same bytes in both builds: ' + ', '.join(different[:20]))
    print(f'{len(first)} files are the same in both builds')


def sign(staged, key):
    for file in files(staged).values():
        if file.suffix in ('.jar', '.pom', '.json'):
            run(['gpg', '--batch', '--yes', '--armor', '--detach-sign'] + (['--local-user', key] if key else []) + [str(file)], staged)


def check_pom(pom):
    project = XML.parse(pom).getroot()
    wanted = ['name', 'description', 'url', 'licenses/license/name', 'licenses/license/url', 'developers/developer/name',
              'scm/connection', 'scm/url']
    parents = [project]
    while (parent := parents[-1].find(POM + 'parent')) is not None:
        artifact, version = parent.findtext(POM + 'artifactId'), parent.findtext(POM + 'version')
        parents.append(XML.parse(pom.parents[2] / artifact / version / f'{artifact}-{version}.pom').getroot())
    for path in wanted:
        if not any(each.findtext('/'.join(POM + part for part in path.split('/'))) for each in parents):
            raise Failed(f'{pom.name} has no {path}')
    if 'SNAPSHOT' in pom.read_text():
        raise Failed(f'{pom.name} names a snapshot')
    return project


def check_jar(jar, version):
    with zipfile.ZipFile(jar) as content:
        names = set(content.namelist())
        manifest = content.read('META-INF/MANIFEST.MF').decode()
    for needed in ('META-INF/LICENSE', 'META-INF/NOTICE'):
        if needed not in names:
            raise Failed(f'{jar.name} has no {needed}')
    for line in (f'Implementation-Version: {version}', 'Automatic-Module-Name: io.agenthooks.', f'Build-Jdk-Spec: {JDK}'):
        if line not in manifest:
            raise Failed(f"{jar.name} has no '{line}' in its manifest")


def check_sbom(sbom, project):
    """Fail unless the bill lists each dependency that the pom brings, and each thing in it has a licence that we take."""
    bill = json.loads(sbom.read_text())
    there = {component['name'] for component in bill.get('components', [])}
    for dependency in project.findall(f'{POM}dependencies/{POM}dependency'):
        if dependency.findtext(POM + 'scope') not in ('test', 'provided', 'system') and dependency.findtext(POM + 'optional') != 'true':
            if dependency.findtext(POM + 'artifactId') not in there:
                raise Failed(f"{sbom.name} lacks {dependency.findtext(POM + 'artifactId')}")
    for component in bill.get('components', []):
        if component.get('group') == 'io.agenthooks' or component.get('scope') == 'optional':
            continue
        said = [entry.get('expression') or entry['license'].get('id') or entry['license'].get('name', '')
                for entry in component.get('licenses', [])]
        if not any(LICENSES.search(name) for name in said):
            raise Failed(f"{sbom.name}: {component.get('group')}:{component['name']} has the licence {said or 'unknown'}")
    return len(there)


def check(staged, version):
    """Check what lies in a folder as Maven Central and a security department would."""
    artifacts = sorted(path for path in (staged / GROUP).iterdir() if path.is_dir())
    if not artifacts:
        raise Failed('there is nothing in ' + GROUP)
    bills, signers = 0, set()
    for artifact in artifacts:
        name, folder = artifact.name, artifact / version
        present = files(folder)
        project = check_pom(folder / f'{name}-{version}.pom')
        if (project.findtext(POM + 'packaging') or 'jar') == 'jar':
            for suffix in ('.jar', '-sources.jar', '-javadoc.jar', '-cyclonedx.json'):
                if f'{name}-{version}{suffix}' not in present and not (suffix == '-javadoc.jar' and not has_code(folder, name, version)):
                    raise Failed(f'{name} has no {name}-{version}{suffix}')
            check_jar(folder / f'{name}-{version}.jar', version)
            bills += check_sbom(folder / f'{name}-{version}-cyclonedx.json', project)
        for file in present.values():
            if file.suffix not in ('.jar', '.pom', '.json'):
                continue
            for algorithm in ('md5', 'sha1'):
                said = file.with_name(file.name + '.' + algorithm)
                if not said.exists() or said.read_text().split()[0] != hashlib.new(algorithm, file.read_bytes()).hexdigest():
                    raise Failed(f'{file.name} has no right {algorithm}')
            signature = file.with_name(file.name + '.asc')
            if not signature.exists():
                raise Failed(f'{file.name} is not signed')
            signers.add(signer(signature, file))
    if len(signers) != 1:
        raise Failed(f'not signed with one key but {sorted(signers)}')
    print(f'signed with {signers.pop()}')
    print(f'{len(artifacts)} artifacts have all that Maven Central wants, good signatures, and {bills} components with licences that we take')


def signer(signature, file):
    """The fingerprint of the key that a file is signed with, if the signature is good."""
    said = run(['gpg', '--batch', '--status-fd', '1', '--verify', str(signature), str(file)], file.parent)
    valid = re.search(r'^\[GNUPG:\] VALIDSIG .* ([0-9A-F]{40})$', said, re.MULTILINE)
    if not valid:
        raise Failed(f'{file.name} has no valid signature')
    return valid.group(1)


def has_code(folder, name, version):
    with zipfile.ZipFile(folder / f'{name}-{version}.jar') as jar:
        return any(entry.endswith('.class') for entry in jar.namelist())


def make(arguments):
    if run(['git', 'status', '--porcelain'], ROOT).strip():
        raise Failed('there are changes that are not committed: a release is made of what is')
    if not arguments.home and 'example.com' in HOME.search((ROOT / 'pom.xml').read_text()).group():
        raise Failed('name the home page of the project: --home URL')
    require_jdk()
    with tempfile.TemporaryDirectory(prefix='release-') as work:
        one = build(pathlib.Path(work) / 'one', arguments.version, arguments.home, not arguments.without_tests)
        other = build(pathlib.Path(work) / 'a' / 'second' / 'folder', arguments.version, arguments.home, False)
        compare(one, other)
        sign(one, arguments.key)
        check(one, arguments.version)
        bundle = ROOT / 'target' / f'agent-hooks-{arguments.version}.zip'
        bundle.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(bundle, 'w', zipfile.ZIP_DEFLATED) as content:
            for name, file in files(one).items():
                content.write(file, name)
    print(f'made {bundle.relative_to(ROOT)}: {bundle.stat().st_size // 1024} KB')


def check_bundle(arguments):
    with tempfile.TemporaryDirectory(prefix='release-') as work:
        staged = pathlib.Path(work) / 'bundle'
        with zipfile.ZipFile(arguments.bundle) as content:
            content.extractall(staged)
        versions = {path.name for path in (staged / GROUP / 'hooks-core').iterdir()}
        if len(versions) != 1:
            raise Failed(f'not one version but {sorted(versions)}')
        version = versions.pop()
        check(staged, version)
        if not arguments.without_rebuild:
            require_jdk()
            home = HOME.search((staged / GROUP / 'hooks-parent' / version / f'hooks-parent-{version}.pom').read_text()).group()
            compare(staged, build(pathlib.Path(work) / 'mine', version, home, False))


def same_jars(arguments):
    require_jdk()
    with tempfile.TemporaryDirectory(prefix='release-') as work:
        copy = pathlib.Path(work) / 'copy'
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns('target', 'node_modules', '.git'))
        run(['mvn', '-B', '-ntp', 'package', '-Dmaven.test.skip=true', '-Dstyle.phase=none',
             # The first build checked the sources, which does not change what the compiler makes of them.
             '-Dcompiler.checks=-g'], copy)
        jars = sorted(jar.relative_to(copy) for jar in copy.rglob(f'target/hooks-*-{SNAPSHOT}.jar'))
        if not jars:
            raise Failed('no jar was built')
        different = [str(jar) for jar in jars
                     if not (ROOT / jar).exists() or (ROOT / jar).read_bytes() != (copy / jar).read_bytes()]
        if different:
            raise Failed('not the same bytes in both builds: ' + ', '.join(different))
    print(f'{len(jars)} jars are the same in both builds')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    maker = commands.add_parser('make')
    maker.add_argument('version')
    maker.add_argument('--home')
    maker.add_argument('--key')
    maker.add_argument('--without-tests', action='store_true')
    maker.set_defaults(does=make)
    checker = commands.add_parser('check')
    checker.add_argument('bundle', type=pathlib.Path)
    checker.add_argument('--without-rebuild', action='store_true')
    checker.set_defaults(does=check_bundle)
    commands.add_parser('same-jars').set_defaults(does=same_jars)
    arguments = parser.parse_args()
    try:
        arguments.does(arguments)
    except Failed as failure:
        sys.exit(f'FAILED: {failure}')


if __name__ == '__main__':
    main()
