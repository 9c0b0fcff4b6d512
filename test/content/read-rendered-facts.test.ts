import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';

test('rendered facts: a mention of a user or group has its id under the name in the text', () => {
  const html =
    '<p><span class="user-mention" data-user-id="118">@Ada &amp; Co</span> and ' +
    '<span class="user-group-mention" data-user-group-id="9">@night shift</span>, not ' +
    '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>';
  expect(readRenderedFacts(html, '@**Ada & Co** and @*night shift*, not @**all**')).toEqual({
    isRendered: true,
    users: {'ada & co': 118},
    groups: {'night shift': 9},
  });
});

test('rendered facts: a mention that is always silent is listed as such', () => {
  const span = (id: number, name: string) => `<span class="user-mention silent" data-user-id="${id}">${name}</span>`;
  const html = `<p>${span(1, 'Ada')} <span class="user-mention" data-user-id="2">@Bo</span></p><blockquote>${span(2, 'Bo')}</blockquote>`;
  expect(readRenderedFacts(html, '')).toMatchObject({users: {ada: 1, bo: 2}, silentUserIds: [1]});
});

test('rendered facts: channel, topic and message links have the id of the channel, and of a message in the topic', () => {
  const html =
    '<a class="stream" data-stream-id="5" href="/#narrow/channel/5-sandbox">#sandbox</a> ' +
    '<a class="stream-topic" data-stream-id="6" href="/#narrow/channel/6-a-.3E-b/topic/x.20.3E.20y/with/77">#a &gt; b &gt; x &gt; y</a> ' +
    '<a class="message-link" href="/#narrow/channel/7-ops/topic/fire/near/80">#ops &gt; fire @ 💬</a> ' +
    '<a class="stream-topic" data-stream-id="8" href="/#narrow/channel/8-hall/topic/">#hall &gt; <em>general chat</em></a>';
  expect(readRenderedFacts(html, '')).toEqual({
    isRendered: true,
    channels: {sandbox: 5, 'a > b': 6, ops: 7, hall: 8},
    topics: {'6>x > y': 77},
  });
});

test('rendered facts: an uploaded image has its dimensions and type, shown below the text or inside it', () => {
  const data = 'data-original-content-type="image/png" data-original-dimensions="640x480"';
  const html =
    `<div class="message_inline_image"><a href="/user_uploads/2/ab/a.png" title="a"><img ${data} src="/user_uploads/thumbnail/2/ab/a.png/840x560.webp"></a></div>` +
    '<p><img alt="b" class="inline-image" data-original-dimensions="3x2" data-original-src="/user_uploads/2/cd/b.jpg" src="/x"></p>' +
    '<div class="message_inline_image"><a href="https://elsewhere.example/c.png"><img src="https://elsewhere.example/c.png"></a></div>';
  expect(readRenderedFacts(html, '')).toEqual({
    isRendered: true,
    images: {
      '/user_uploads/2/ab/a.png': {width: 640, height: 480, contentType: 'image/png'},
      '/user_uploads/2/cd/b.jpg': {width: 3, height: 2},
    },
  });
});

test('rendered facts: an image of another site has the path of the server’s proxy, and no other address', () => {
  const image = (href: string, src: string) =>
    `<div class="message_inline_image"><a href="${href}"><img src="${src}"></a></div>`;
  const html = [
    image('https://a.example/1.png?x=1&amp;y=2', '/external_content/56c362/68747470'),
    image('https://a.example/2.png', 'https://elsewhere.example/external_content/56c362/68747470'),
    image('https://a.example/3.png', '//elsewhere.example/external_content/56c362/68747470'),
    image('https://a.example/4.png', '/external_content/../api/v1/users/me'),
  ].join('');
  expect(readRenderedFacts(html, '')).toEqual({
    isRendered: true,
    proxies: {'https://a.example/1.png?x=1&y=2': '/external_content/56c362/68747470'},
  });
});

test('rendered facts: a link preview has the title, description and address of the page', () => {
  const html =
    '<p>see <a href="https://tide.example/t">https://tide.example/t</a></p>' +
    '<div class="message_embed"><a class="message_embed_image" href="https://tide.example/t" style="background-image: url(&quot;https://tide.example/i.png&quot;)"></a>' +
    '<div class="data-container"><div class="message_embed_title"><a href="https://tide.example/t" title="Tide table">Tide &lt;table&gt;</a></div>' +
    '<div class="message_embed_description">High water\nby day.</div></div></div><p><a href="https://a.example">not a title</a></p>';
  expect(readRenderedFacts(html, 'see https://tide.example/t\n\n[not a title](https://a.example)')).toEqual({
    isRendered: true,
    previews: [{url: 'https://tide.example/t', title: 'Tide <table>', description: 'High water\nby day.'}],
  });
});

test('rendered facts: a linkifier’s address is kept; links with their address in the text are not', () => {
  const html =
    '<p><a href="https://tracker.example/42">#42</a> <a href="https://a.example">a</a> ' +
    '<a href="http://b.example">b.example</a> <a href="mailto:c@d.example">c@d.example</a></p>';
  expect(readRenderedFacts(html, '#42 [a](https://a.example) b.example c@d.example')).toEqual({
    isRendered: true,
    links: {'#42': 'https://tracker.example/42'},
  });
});

test('rendered facts: an emoji that the text has as an emoticon says that emoticons are shown as emoji', () => {
  const html = '<p>ok <span aria-label="smile" class="emoji emoji-1f604" role="img" title="smile">:smile:</span></p>';
  expect(readRenderedFacts(html, 'ok :D')).toEqual({isRendered: true, emoticons: true});
  expect(readRenderedFacts(html, 'ok :smile:')).toEqual({isRendered: true});
  expect(readRenderedFacts('<p>ok :D</p>', 'ok :D')).toEqual({isRendered: true});
});

test('rendered facts: names like those of object properties are ordinary names', () => {
  const html = '<span class="user-mention" data-user-id="1">@__proto__</span>';
  const {users} = readRenderedFacts(html, '');
  expect(Object.entries(users ?? {})).toEqual([['__proto__', 1]]);
});

const pieces = [
  ...['<a href="', '<span class="user-mention" data-user-id="7">@x', '</span>', '</a>', '<div class="message_embed">'],
  ...[
    '</div>',
    '<div class="message_embed_description">',
    '"',
    "'",
    '>',
    '<',
    '&amp;',
    '&#9999999;',
    '<!--',
    'é\u0000',
  ],
  ...['<img data-original-dimensions="1x1" src="', 'class="stream-topic"', '/#narrow/channel/5-x/topic/%', '\n', 'a'],
];

test('rendered facts: any text is read without an error, and what is found is bounded', () => {
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), {maxLength: 300})
    .map((all) => all.join(''));
  fc.assert(
    fc.property(hostile, fc.string(), (html, source) => {
      const facts = readRenderedFacts(html, source);
      expect(facts.isRendered).toBe(true);
      expect(JSON.stringify(facts).length).toBeLessThan(1_000_000);
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    }),
  );
});

test('rendered facts: a very long text without any end is read once', () => {
  for (const piece of ['<a href="', '<a ', 'a', '<', '&', '<span class="user-mention" ', '"<', '<a>']) {
    expect(readRenderedFacts(piece.repeat(200_000), piece)).toMatchObject({isRendered: true});
  }
});

test('rendered facts: users of one name are told apart by the ids in the text, or by their order if those are of another server', () => {
  const span = (id: number) => `<span class="user-mention" data-user-id="${id}">@Otto</span>`;
  const users = (ids: readonly number[], source: string) => readRenderedFacts(ids.map(span).join(' '), source).users;
  expect(users([7, 5], '@**Otto|7** @**Otto|5**')).toEqual({otto: 7, 'otto|7': 7, 'otto|5': 5});
  expect(users([107, 105], '@**Otto|7** @**Otto|5**')).toEqual({otto: 107, 'otto|7': 107, 'otto|5': 105});
  expect(users([7], '@**|7**')).toEqual({otto: 7, '|7': 7});
});
