const unreleased = '## [Unreleased]';

/** Moves the changes below “Unreleased” to a section of this version. Throws when there are none. */
export function releaseChanges(changelog: string, version: string, date: string): string {
  if (!changesOf(changelog, 'Unreleased')) throw new Error('CHANGELOG.md has no changes below “Unreleased”.');
  return changelog.replace(unreleased, `${unreleased}\n\n## [${version}] - ${date}`);
}

/** Returns the text of a version's section; undefined when there is no such section. */
export function changesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`[${version}]`));
  return section?.replace(/.*/, '').trim();
}
