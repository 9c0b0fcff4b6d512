import {expect, test} from 'vitest';
import {webhookFixture} from './webhook-fixture.ts';

const image = {type: 'image', image_url: 'https://x/i.png', alt_text: 'chart'};
const text = (value: string) => ({type: 'mrkdwn', text: value});

const cases = [
  ['a text', {text: 'Hello *big* _wide_ <https://x.org|world>'}, 'Hello **big** *wide* [world](https://x.org)'],
  ['words with stars and underscores inside', {text: 'a*b*c snake_case_name'}, 'a*b*c snake_case_name'],
  ['an icon', {text: 'Done', icon_emoji: ':tada:'}, ':tada: Done'],
  [
    'blocks',
    {
      text: 'unused',
      blocks: [
        {type: 'header', text: {type: 'plain_text', text: 'Build'}},
        {type: 'section', text: text('*failed*'), accessory: image},
        {type: 'divider'},
        {type: 'actions'},
        {type: 'context', elements: [image, text('now')]},
        {type: 'section', fields: [text('a'), text('b|c'), text('d')]},
      ],
    },
    '## Build\n\n**failed**\n\n[chart](https://x/i.png)\n\n----\n\n[chart](https://x/i.png)\n\nnow\n\n' +
      '| | |\n|-|-|\n| a | b c |\n| d |  |',
  ],
  [
    'a text beside attachments, which belongs to the message',
    {text: 'Deployed *v2*', attachments: [{text: 'by Ann'}]},
    'Deployed **v2**\n\nby Ann',
  ],
  [
    'attachments',
    {
      attachments: [
        {
          title: 'Report',
          title_link: 'https://x/r',
          text: 'Body',
          fields: [{title: 'Priority', value: 'High'}, {value: 'alone'}],
          footer: 'bot',
          ts: 1_700_000_000,
        },
      ],
    },
    '## [Report](https://x/r)\n\nBody\n\n**Priority**: High\nalone\n\nbot\n\n<time:1700000000>',
  ],
] as const;

test('slack_incoming: texts, blocks and attachments become Markdown', async () => {
  const {call, lastMessage} = await webhookFixture();
  for (const [what, payload, content] of cases) {
    await call('slack_incoming', {stream: 'code'}, payload);
    const message = await lastMessage();
    expect(message, what).toMatchObject({content, subject: 'general chat', client: 'ZulipSlackIncomingWebhook'});
  }
  const {id} = await lastMessage();
  expect(await call('slack_incoming', {stream: 'code'}, {text: ''})).toMatchObject({status: 200});
  expect((await lastMessage()).id, 'no text').toBe(id);
});

test('slack_incoming: a form has the payload as a field, and its channel becomes the topic', async () => {
  const fixture = await webhookFixture();
  const form = {'content-type': 'application/x-www-form-urlencoded'};
  const payload = `payload=${encodeURIComponent('{"text": "hi & bye", "channel": "#alerts"}')}`;
  await fixture.call('slack_incoming', {stream: 'code'}, payload, form);
  expect(await fixture.lastMessage()).toMatchObject({content: 'hi & bye', subject: 'alerts'});
  await fixture.call('slack_incoming', {stream: 'code', topic: 'chosen'}, payload, form);
  expect(await fixture.lastMessage()).toMatchObject({content: 'hi & bye', subject: 'chosen'});
  const reply = await fixture.call('slack_incoming', {stream: 'code'}, 'text=hi', form);
  expect(reply).toMatchObject({status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: 'payload'});
});
