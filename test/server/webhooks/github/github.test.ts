import {expect, test} from 'vitest';
import {webhookFixture} from '#test/server/webhooks/webhook-fixture.ts';

const url = 'https://github.com/acme/tides';
const base = {
  sender: {login: 'amy', html_url: 'https://github.com/amy'},
  repository: {name: 'tides', full_name: 'acme/tides', html_url: url, private: false},
};
const pr = {
  number: 7,
  title: 'Fix the tide.',
  html_url: `${url}/pull/7`,
  body: 'Why',
  merged: true,
  head: {label: 'amy:fix'},
  base: {label: 'acme:main'},
};
const issue = {number: 2, title: 'Wet socks', html_url: `${url}/issues/2`, body: null};
const comment = {html_url: `${url}/issues/2#c1`, body: 'Agreed'};
const commit = (username: string, id: number) => ({
  author: {username, name: username},
  id: `${id}`.repeat(40),
  url: `${url}/commit/${id}`,
  message: `Change ${id}\n\nDetails`,
});
const push = {ref: 'refs/heads/main', compare: `${url}/compare/a...b`, deleted: false, forced: false, created: false};
const onPr = 'tides / PR #7 Fix the tide.';
const onIssue = 'tides / issue #2 Wet socks';

/** Event, payload, topic, text. */
const cases: readonly (readonly [string, object, string, string])[] = [
  ['ping', {}, 'tides', 'GitHub webhook has been successfully configured by amy.'],
  [
    'ping',
    {repository: undefined, organization: {login: 'acme'}},
    'acme',
    'GitHub webhook has been successfully configured by amy.',
  ],
  [
    'push',
    {...push, commits: [commit('amy', 1)]},
    'tides / main',
    `amy [pushed](${url}/compare/a...b) 1 commit to branch main.\n\n* Change 1 ([11111111111](${url}/commit/1))`,
  ],
  [
    'push',
    {...push, forced: true, commits: ['bo', 'amy', 'bo', 'cy', 'di', 'ed'].map((name) => commit(name, 1))},
    'tides / main',
    `amy [force pushed](${url}/compare/a...b) 6 commits to branch main. Commits by bo (2), amy (1), cy (1) and others (2).\n\n` +
      Array.from({length: 6}, () => `* Change 1 ([11111111111](${url}/commit/1))`).join('\n'),
  ],
  [
    'push',
    {...push, deleted: true, commits: []},
    'tides / main',
    `amy [deleted](${url}/compare/a...b) the branch main.`,
  ],
  ['push', {...push, ref: 'refs/tags/v1', created: true, commits: []}, 'tides', 'amy pushed tag v1.'],
  [
    'pull_request',
    {action: 'opened', pull_request: pr},
    onPr,
    `amy opened [PR #7](${url}/pull/7) from \`amy:fix\` to \`acme:main\`:\n\n~~~ quote\nWhy\n~~~`,
  ],
  ['pull_request', {action: 'synchronize', pull_request: pr}, onPr, `amy updated [PR #7](${url}/pull/7).`],
  ['pull_request', {action: 'closed', pull_request: pr}, onPr, `amy merged [PR #7](${url}/pull/7).`],
  [
    'pull_request',
    {action: 'assigned', pull_request: pr, assignee: {login: 'bo'}},
    onPr,
    `amy assigned bo to [PR #7](${url}/pull/7).`,
  ],
  [
    'pull_request',
    {action: 'review_requested', pull_request: pr, requested_reviewer: {login: 'bo', html_url: 'https://x/bo'}},
    onPr,
    `**amy** requested [bo](https://x/bo) for a review on [PR #7](${url}/pull/7).`,
  ],
  [
    'pull_request_review',
    {action: 'submitted', pull_request: pr, review: {html_url: `${url}/pull/7#r`, body: null}},
    onPr,
    `amy submitted [PR review](${url}/pull/7#r).`,
  ],
  ['issues', {action: 'closed', issue}, onIssue, `amy closed [issue #2](${url}/issues/2).`],
  [
    'issues',
    {action: 'labeled', issue, label: {name: 'bug'}},
    onIssue,
    `[amy](https://github.com/amy) added the bug label to [Issue #2](${url}/issues/2).`,
  ],
  [
    'issue_comment',
    {action: 'created', issue, comment},
    onIssue,
    `amy [commented](${url}/issues/2#c1) on [issue #2](${url}/issues/2):\n\n~~~ quote\nAgreed\n~~~`,
  ],
  [
    'commit_comment',
    {action: 'created', comment: {...comment, commit_id: 'abcdef0123456789'}},
    'tides',
    `amy [commented](${url}/issues/2#c1) on [abcdef01234](${url}/issues/2):\n~~~ quote\nAgreed\n~~~`,
  ],
  ['create', {ref_type: 'branch', ref: 'fix'}, 'tides', 'amy created branch fix.'],
  ['delete', {ref_type: 'tag', ref: 'v1'}, 'tides', 'amy deleted tag v1.'],
  ['fork', {forkee: {name: 'tides2', html_url: 'https://x/f'}}, 'tides', 'amy forked [tides2](https://x/f).'],
  ['star', {action: 'created'}, 'tides', `[amy](https://github.com/amy) starred the repository [acme/tides](${url}).`],
  [
    'release',
    {action: 'published', release: {name: '', tag_name: 'v1', html_url: `${url}/r`}},
    'tides',
    `amy published release [v1](${url}/r) for tag v1.`,
  ],
  [
    'check_run',
    {
      check_run: {
        name: 'lint',
        html_url: `${url}/runs/1`,
        status: 'completed',
        conclusion: 'success',
        head_sha: 'abcdef0123456789',
      },
    },
    'tides / checks',
    `Check [lint](${url}/runs/1) completed (success). ([abcdef01234](${url}/commit/abcdef0123456789))`,
  ],
  [
    'gollum',
    {pages: [{action: 'edited', title: 'Home', html_url: `${url}/wiki`}]},
    'tides / wiki pages',
    `amy:\n* edited [Home](${url}/wiki)`,
  ],
];

test('github: each event has its topic and text', async () => {
  const {call, lastMessage} = await webhookFixture();
  for (const [event, payload, subject, content] of cases) {
    const reply = await call('github', {stream: 'code'}, {...base, ...payload}, {'x-github-event': event});
    expect(reply, event).toEqual({status: 200, result: 'success', msg: ''});
    expect(await lastMessage(), event).toMatchObject({content, subject, client: 'ZulipGitHubWebhook'});
  }
});

test('github: events that nobody needs, other branches and unchanged comments send nothing', async () => {
  const {call, lastMessage} = await webhookFixture();
  await call('json', {stream: 'code'}, {});
  const {id} = await lastMessage();
  const silent: readonly (readonly [string, object, Record<string, string>])[] = [
    ['check_suite', {}, {}],
    ['pull_request', {action: 'labeled', pull_request: pr}, {}],
    ['push', {...push, commits: []}, {branches: 'release, next'}],
    ['push', {...push, ref: 'refs/heads/gh-readonly-queue/main/1', commits: []}, {}],
    ['issue_comment', {action: 'edited', issue, comment, changes: {body: {from: 'Agreed'}}}, {}],
    ['ping', {repository: {...base.repository, private: true}}, {ignore_private_repositories: 'true'}],
  ];
  for (const [event, payload, query] of silent) {
    const reply = await call('github', {stream: 'code', ...query}, {...base, ...payload}, {'x-github-event': event});
    expect(reply, event).toEqual({status: 200, result: 'success', msg: ''});
  }
  expect(await call('github', {}, base, {'x-github-event': 'teleport'})).toEqual({
    status: 200,
    result: 'success',
    msg: "The 'teleport:???' event isn't currently supported by the GitHub webhook; ignoring",
    code: 'UNSUPPORTED_WEBHOOK_EVENT_TYPE',
    webhook_name: 'GitHub',
    event_type: 'teleport:???',
  });
  expect((await lastMessage()).id).toBe(id);
});

test('github: with a topic in the URL, messages have the titles; profiles with the account are mentioned', async () => {
  const {server, meg, call, lastMessage} = await webhookFixture();
  const event = {...base, action: 'closed', pull_request: pr};
  const query = {stream: 'code', topic: 'all'};
  await call('github', query, event, {'x-github-event': 'pull_request'});
  expect(await lastMessage()).toMatchObject({
    content: `amy merged [PR #7 Fix the tide.](${url}/pull/7)`,
    subject: 'all',
  });
  const field = {name: 'GitHub', field_type: 7, field_data: {subtype: 'github'}};
  const {id} = await server.as(server.people.admin()).post('/realm/profile_fields', field);
  await server.as(meg).patch('/users/me/profile_data', {data: [{id, value: 'amy'}]});
  await call('github', query, {...base, action: 'closed', issue}, {'x-github-event': 'issues'});
  expect(await lastMessage()).toMatchObject({
    content: `@_**Meg Member|${meg.id}** closed [issue #2 Wet socks](${url}/issues/2).`,
  });
});
