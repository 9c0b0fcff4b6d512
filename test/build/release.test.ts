import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {changesOf, releaseChanges} from '#build/changelog.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {slowTest} from '#test/support/tier.ts';

const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a key\n\n## [0.1.0] - 2026-11-15\n\n- all\n';

test('changelog: a release gives the unreleased changes its version, and begins an empty section', () => {
  const released = releaseChanges(changelog, '1.0.0', '2026-12-01');
  expect(released).toContain('## [Unreleased]\n\n## [1.0.0] - 2026-12-01\n\n### Added\n\n- a key\n\n## [0.1.0]');
  expect(changesOf(released, '1.0.0')).toBe('### Added\n\n- a key');
  expect([changesOf(released, 'Unreleased'), changesOf(released, '2.0.0')]).toEqual(['', undefined]);
  expect(() => releaseChanges(released, '1.0.1', '2026-12-02')).toThrow(
    'CHANGELOG.md has no changes below “Unreleased”.',
  );
});

test('changelog: it describes the version of package.json', () => {
  const {version} = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(changesOf(readFileSync('CHANGELOG.md', 'utf8'), version)).toMatch(/^.*\n\n### Added/);
});

/** Creates a repository with what a release reads, whose scripts run with the Node of the tests. */
function repository() {
  const folder = scratchDirectory();
  for (const file of ['package.json', 'package-lock.json', '.npmrc', 'CHANGELOG.md', '.gitignore', 'src']) {
    cpSync(file, join(folder, file), {recursive: true});
  }
  mkdirSync(join(folder, 'node_modules'));
  const name = {GIT_AUTHOR_NAME: 'Meg', GIT_AUTHOR_EMAIL: 'meg@example.com'};
  const env = {
    ...name,
    GIT_COMMITTER_NAME: 'Meg',
    GIT_COMMITTER_EMAIL: 'meg@example.com',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: scratchDirectory(),
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  };
  const options = {cwd: folder, env, encoding: 'utf8'} as const;
  const git = (...args: string[]) => execFileSync('git', args, options).trim();
  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '-m', 'All');
  };
  git('init', '--quiet');
  commit();
  return {
    folder,
    git,
    commit,
    npm: (...args: string[]) => spawnSync('npm', args, options),
    release: () => spawnSync(process.execPath, ['src/build/release.ts', '--tested'], options).stderr.trim(),
    read: (file: string) => readFileSync(join(folder, file), 'utf8'),
  };
}

slowTest('npm version: package.json, the lock file and the changelog get the version, in one tagged commit', () => {
  const {git, npm, read} = repository();
  expect(npm('version', '98.7.6')).toMatchObject({status: 0});
  const lock = JSON.parse(read('package-lock.json'));
  expect([JSON.parse(read('package.json')).version, lock.version, lock.packages[''].version]).toEqual(
    Array(3).fill('98.7.6'),
  );
  expect(read('CHANGELOG.md')).toMatch(/^## \[Unreleased\]\n\n## \[98\.7\.6\] - \d{4}-\d\d-\d\d\n\n\w/m);
  expect([git('status', '--porcelain'), git('tag', '--points-at', 'HEAD')]).toEqual(['', 'v98.7.6']);
});

slowTest('npm version: without changes since the last version nothing is committed', () => {
  const {folder, git, commit, npm} = repository();
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace(/### Added.*- a key\n\n/s, ''));
  commit();
  const {status, stderr} = npm('version', '98.7.6');
  expect([status, git('tag'), git('rev-list', '--count', 'HEAD')]).toEqual([1, '', '2']);
  expect(stderr).toContain('CHANGELOG.md has no changes below “Unreleased”.');
});

slowTest('release: it refuses a changed checkout, a version without changes, and a commit without its tag', () => {
  const {folder, commit, release, read} = repository();
  const {version} = JSON.parse(read('package.json'));
  expect(release()).toBe(`This commit has no tag v${version}: “npm version” makes a commit with a tag.`);
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace('0.1.0', '0.0.1'));
  expect(release()).toBe('The checkout has changes that are not committed.');
  commit();
  expect(release()).toBe(`CHANGELOG.md does not describe version ${version}.`);
});
