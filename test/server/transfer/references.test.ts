import {describe, expect, test} from 'vitest';
import {importedHtml, type NewIds, OwnHosts, rewriteSubmessage, rewriteText} from '#server/transfer/references.ts';

/** Every id is a thousand more, except 9, which is unknown. */
const newId = (id: number) => (id === 9 ? undefined : id + 1000);
const ids = (hosts = new OwnHosts()): NewIds => ({
  user: newId,
  group: newId,
  channel: newId,
  message: newId,
  upload: (path) => (path === '10/ab/x/pic.png' ? '1/cd/y/pic.png' : undefined),
  emoji: (file) => (file === '1.png' ? '1/emoji/images/new.png' : undefined),
  isOwnHost: hosts.has,
});

describe('import: ids in texts', () => {
  test.each([
    ['a mention', '@**Ann|5** @_**Bo|6**', '@**Ann|1005** @_**Bo|1006**'],
    ['an unknown id', '@**Ann|9** #**a>b@9** #**a@9**', '@Ann #**a>b** #**a@9**'],
    [
      'an unknown message in a link, which leads to the topic',
      '[a](#narrow/channel/5-x/topic/y/near/9) [b](/#narrow/channel/5-x/topic/y/with/9) [c](#narrow/dm/5-dm/near/9)',
      '[a](#narrow/channel/1005-x/topic/y) [b](/#narrow/channel/1005-x/topic/y) [c](#narrow/dm/1005-dm)',
    ],
    [
      'a link to something unknown, which becomes text',
      '[a](#narrow/near/9) [b [c]](#narrow/dm/5,9-dm "t") ![d](<#user/9>) [e](#narrow/channel/9-x/topic/y) #narrow/dm/9',
      'a b [c] d e #narrow/dm/9',
    ],
    [
      'pages of people, groups and channels',
      '[a](#user/5) [b](/#groups/6/x/general) [c](#channels/7/x) [d](#streams/7) [e](#channels/all) [f](#settings/x)',
      '[a](#user/1005) [b](/#groups/1006/x/general) [c](#channels/1007/x) [d](#streams/1007) [e](#channels/all) [f](#settings/x)',
    ],
    [
      'operators of people and messages',
      '[a](#narrow/-sender/5/from/6) [b](#narrow/mentions/5) [c](#narrow/id/7) [d](#narrow/channel/name/sender/me)',
      '[a](#narrow/-sender/1005/from/1006) [b](#narrow/mentions/1005) [c](#narrow/id/1007) [d](#narrow/channel/name/sender/me)',
    ],
    [
      'a bare address of an uploaded file',
      'https://old.example/user_uploads/10/ab/x/pic.png, and old.example/user_uploads/10/ab/x/pic.png.',
      '[/user_uploads/1/cd/y/pic.png](/user_uploads/1/cd/y/pic.png), and [/user_uploads/1/cd/y/pic.png](/user_uploads/1/cd/y/pic.png).',
    ],
    [
      'a relative link',
      '[x](#narrow/dm/5,6-dm/near/7) [y](/#narrow/sender/5)',
      '[x](#narrow/dm/1005,1006-dm/near/1007) [y](/#narrow/sender/1005)',
    ],
    [
      'a code span',
      '`@**Ann|5**` ``#narrow/sender/5 ` `` @**Ann|5**',
      '`@**Ann|5**` ``#narrow/sender/5 ` `` @**Ann|1005**',
    ],
    ['an unclosed tick', '`@**Ann|5**', '`@**Ann|1005**'],
    ['a fence', '```\n@**Ann|5**\n```\n@**Ann|5**', '```\n@**Ann|5**\n```\n@**Ann|1005**'],
    ['a fence of tildes that is not closed', '~~~ py\n[x](#narrow/sender/5)', '~~~ py\n[x](#narrow/sender/5)'],
    ['a quote', '```quote\n@**Ann|5**\n```', '```quote\n@**Ann|1005**\n```'],
    [
      'code in a spoiler',
      '````spoiler @**Ann|5**\n@**Ann|5**\n```\n@**Ann|5**\n```\n````\n@**Ann|5**',
      '````spoiler @**Ann|1005**\n@**Ann|1005**\n```\n@**Ann|5**\n```\n````\n@**Ann|1005**',
    ],
    [
      'an indented block',
      'a\n\n    @**Ann|5**\n\n    @**Ann|5**\n@**Ann|5**',
      'a\n\n    @**Ann|5**\n\n    @**Ann|5**\n@**Ann|1005**',
    ],
    [
      'an indented line of a paragraph or list',
      'a\n    @**Ann|5**\n\n* b\n\n    @**Ann|5**',
      'a\n    @**Ann|1005**\n\n* b\n\n    @**Ann|1005**',
    ],
    [
      'an uploaded file',
      '[p](https://old.example/user_uploads/10/ab/x/pic.png) `/user_uploads/10/ab/x/pic.png`',
      '[p](/user_uploads/1/cd/y/pic.png) `/user_uploads/10/ab/x/pic.png`',
    ],
  ])('%s', (_what, text, expected) => {
    expect(rewriteText(text, ids())).toBe(expected);
  });

  test('a link to a host that the rendering shows to be our own becomes relative; others stay, with their ids', () => {
    const hosts = new OwnHosts();
    const text =
      '[a](https://Old.example/#narrow/channel/5-x/near/7) [b](https://other.example/#narrow/channel/5-x) see https://old.example/#narrow/sender/5, or [https://old.example/#narrow/sender/5](https://old.example/#narrow/sender/5)';
    // Before any rendering says so, the address is not known.
    expect(rewriteText(text, ids(hosts))).toBe(text);
    const html =
      '<p><a href="#narrow/channel/5-x/near/7">a</a> <a href="https://other.example/#narrow/channel/5-x">b</a></p>';
    const expected =
      '[a](#narrow/channel/1005-x/near/1007) [b](https://other.example/#narrow/channel/5-x) see [#narrow/sender/1005](#narrow/sender/1005), or [https://old.example/#narrow/sender/5](#narrow/sender/1005)';
    expect(rewriteText(text, ids(hosts), html)).toBe(expected);
    expect(rewriteText(text, ids(hosts))).toBe(expected);
    for (const site of ['HTTP://OLD.example/', 'https://old.example', 'old.example/']) {
      expect(rewriteText(`[a](${site}#narrow/near/7)`, ids(hosts))).toBe('[a](#narrow/near/1007)');
    }
    const pages =
      '[a](https://old.example/help/x) https://old.example/stats? https://old.example [b](https://old.example/#user/9)';
    expect(rewriteText(pages, ids(hosts))).toBe('[a](/help/x) [/stats](/stats)? [https://old.example](/) b');
    expect(
      rewriteText(
        'https://old.example/#narrow/dm/9 or [https://old.example/#user/9](https://old.example/#user/9)',
        ids(hosts),
      ),
    ).toBe('#narrow/dm/9 or #user/9');
    expect(rewriteText('https://other.example/x#narrow/sender/5', ids(hosts))).toBe(
      'https://other.example/x#narrow/sender/5',
    );
  });
});

test('import: the person in the key of a vote or a mark gets the new id, and what nobody added is left out', () => {
  const rewritten = (data: object) => rewriteSubmessage(JSON.stringify(data), ids());
  expect(rewritten({type: 'vote', key: '5,2', vote: 1})).toBe('{"type":"vote","key":"1005,2","vote":1}');
  expect(rewritten({type: 'strike', key: '2,5'})).toBe('{"type":"strike","key":"2,1005"}');
  for (const key of ['canned,0', '0,canned']) expect(rewritten({type: 'strike', key})).toContain(`"${key}"`);
  expect(rewritten({type: 'new_task', key: 5, task: 'x'})).toContain('"key":5');
  expect(rewritten({type: 'strike', key: '2,9'})).toBeUndefined();
});

describe('import: the HTML of a message', () => {
  test('gets the new ids of people, groups, channels and messages, and the new paths of files and emoji', () => {
    expect(
      importedHtml(
        '<p><span class="user-mention" data-user-id="5">@Ann</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> <span class="user-group-mention" data-user-group-id="6">@g</span> <a class="stream-topic" data-stream-id="7" href="/#narrow/channel/7-x/topic/y/with/8">#x &gt; y</a> <img alt=":e:" class="emoji" src="/user_avatars/10/emoji/images/1.png" title="e"><img src="/user_uploads/thumbnail/10/ab/x/pic.png/840x560.webp"></p>',
        ids(),
      ),
    ).toBe(
      '<p><span class="user-mention" data-user-id="1005">@Ann</span> <span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span> <span class="user-group-mention" data-user-group-id="1006">@g</span> <a class="stream-topic" data-stream-id="1007" href="/#narrow/channel/1007-x/topic/y/with/1008">#x &gt; y</a> <img alt=":e:" class="emoji" src="/user_avatars/1/emoji/images/new.png" title="e"><img src="/user_uploads/1/cd/y/pic.png"></p>',
    );
  });

  test('has text for what is unknown, and keeps the rest', () => {
    expect(
      importedHtml(
        '<p><span class="user-mention" data-user-id="9">@Nobody</span> <span class="user-mention" data-user-id="5">@Ann</span> <a href="#narrow/channel/5-x/topic/y/near/9">a</a> <a class="stream" data-stream-id="9" href="/#narrow/channel/9-x">#x</a> <img alt=":gone:" class="emoji" src="/user_avatars/10/emoji/images/9.png" title="gone"></p>',
        ids(),
      ),
    ).toBe(
      '<p>@Nobody <span class="user-mention" data-user-id="1005">@Ann</span> <a href="#narrow/channel/1005-x/topic/y">a</a> #x :gone:</p>',
    );
  });

  test.each(['<p>:tern: at 12:30:45</p>', '<p>@<strong>Zoe</strong></p>', '<p>#<strong>plans</strong></p>'])(
    'is kept if a name was unknown when the message was sent: %s',
    (html) => {
      expect(importedHtml(html, ids())).toBe(html);
    },
  );

  const mention = '<span class="user-mention" data-user-id="5">@Ann</span>';
  test.each([
    ['nothing in it has a name', '<p>x <a href="https://a.example">y</a> at 12:30:45</p>'],
    [
      'its emoji are not those of the organization',
      '<p><span aria-label="smile" class="emoji emoji-1f604" role="img" title="smile">:smile:</span></p>',
    ],
    ['it has a script', `${mention}<script>alert(1)</script>`],
    ['it has a handler', `${mention}<img src="/x" onerror="alert(1)">`],
    ['it has a link that runs a script', `${mention}<a href="javascript:alert(1)">x</a>`],
    ['it has a style', `${mention}<p style="position: fixed">x</p>`],
    ['it has a link to another site without a scheme', `${mention}<a href="//evil.example">x</a>`],
    ['it shows a picture of the other server', `${mention}<img src="/external_content/abc">`],
  ])('is not kept if %s', (_what, html) => {
    expect(importedHtml(html, ids())).toBeUndefined();
  });
});
