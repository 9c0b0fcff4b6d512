import type {Payload} from '#server/webhooks/payload.ts';
import {type GitHubEvent, shortSha} from './github-event.ts';

const shownCommits = 20;
const namedCommitters = 3;

export function branchName(payload: Payload): string {
  return payload.text('ref').replace(/^refs\/heads\//, '');
}

export function pushedTag({payload, sender}: GitHubEvent): string {
  const tag = payload.text('ref').replace(/^refs\/tags\//, '');
  const sentence = `${sender} ${payload.flag('created') ? 'pushed' : 'removed'} tag ${tag}`;
  return /[!-/:-@[-`{-~]$/.test(tag) ? sentence : `${sentence}.`;
}

export function pushedCommits({payload, sender}: GitHubEvent): string {
  const commits = payload.list('commits');
  const [branch, url] = [branchName(payload), payload.text('compare')];
  const deleted = payload.flag('deleted');
  const pushed = payload.flag('forced') ? 'force pushed' : 'pushed';
  if (commits.length === 0) return `${sender} [${deleted ? 'deleted' : pushed}](${url}) the branch ${branch}.`;
  const count = `${commits.length} commit${commits.length > 1 ? 's' : ''}`;
  const sentence = `${sender} [${pushed}](${url}) ${count} to branch ${branch}.`;
  const committers = committersOf(commits);
  const isBySender = committers.length === 1 && committers[0]?.name === sender;
  const by = isBySender ? '' : ` Commits by ${listed(committers.map(({name, count}) => `${name} (${count})`))}.`;
  return `${sentence}${by}\n\n${commitLines(commits).join('\n')}`;
}

function commitLines(commits: readonly Payload[]): string[] {
  const lines = commits.slice(0, shownCommits).map((commit) => {
    const [title = ''] = commit.text('message').split('\n');
    return `* ${title} ([${shortSha(commit.text('id'))}](${commit.text('url')}))`;
  });
  const more = commits.length - shownCommits;
  return more > 0 ? [...lines, `[and ${more} more commit(s)]`] : lines;
}

interface Committer {
  readonly name: string;
  readonly count: number;
}

/** Returns the committers with the most commits first; those after the third together as “others”. */
function committersOf(commits: readonly Payload[]): Committer[] {
  const byName = Map.groupBy(commits, (commit) =>
    commit.has('author.username') ? commit.text('author.username') : commit.text('author.name'),
  );
  const all = [...byName].map(([name, own]) => ({name, count: own.length}));
  all.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const rest = all.slice(namedCommitters).reduce((sum, {count}) => sum + count, 0);
  return rest === 0 ? all : [...all.slice(0, namedCommitters), {name: 'others', count: rest}];
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, -1).join(', ');
  return first === '' ? (names[0] ?? '') : `${first} and ${names.at(-1)}`;
}
