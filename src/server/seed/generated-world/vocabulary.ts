import type {Random} from '#std/random.ts';

/** The vocabulary of generated worlds, varied enough for search to have something to find. */
const text = {
  given: `Ada Bo Carla Dmitri Elif Femi Greta Hiro Ines Jonas Kaya Lior Mina Nils Oona Pablo Quinn Rosa Sami Tove Uma Viktor
    Wanda Xenia Yusuf Zoe Amara Bruno Chidi Dalia Emil Farah Goran Hana Ivo Jana Koji Lena Marek Noor Otto Priya Rafa Sofia
    Tariq Ulla Vera Wim Yara Zeno`,
  family: `Abe Berg Costa Diaz Eriksen Fischer Garcia Haddad Ito Jansen Kaya Lindqvist Moreau Nowak Okafor Petrov Quispe Rossi
    Sato Tanaka Usman Varga Weber Xu Yilmaz Zhang Alvarez Bakker Chen Dubois Endo Ferreira Gruber Horvat Ivanova Johansson
    Kowalski Larsen Mensah Novak Olsen Popescu Ramos Silva Tran Ueda Vidal Wang Yamada Zeman`,
  noun: `deploy build queue cache index schema ticket invoice shipment sensor battery display firmware driver socket packet
    router gateway cluster replica backup snapshot release branch review patch test fixture bench report chart table budget
    contract customer partner vendor meeting agenda note draft design mockup icon palette layout font screen window dialog
    button keyboard shortcut search filter thread topic channel message reply mention reaction emoji notification digest
    calendar holiday lunch coffee bicycle train garden kitchen whiteboard projector camera microphone headset cable adapter
    token secret key certificate account password session cookie header payload parser lexer compiler linter formatter`,
  verb: `fixed broke moved merged reverted shipped tested measured drafted reviewed approved rejected renamed deleted restored
    rotated migrated upgraded pinned unpinned documented explained sketched counted sorted traced profiled cached flushed
    scheduled postponed cancelled ordered returned unpacked labelled cleaned painted repaired borrowed`,
  adjective: `slow fast flaky stable green red quiet noisy empty full broken shiny odd even late early small large steep
    shallow fresh stale hidden visible public private remote local broad narrow bright dim warm cold`,
  place: `staging production Lisbon Osaka Nairobi Bergen Lima Hanoi the-lab the-warehouse the-office the-dashboard the-repo
    the-wiki`,
  rare: `zeugma quokka xylophone borborygmus petrichor gossamer defenestrate susurrus kerfuffle lollygag widdershins
    bumbershoot cattywampus taradiddle gobbledygook`,
};

type WordKind = keyof typeof text;

const lists: Readonly<Record<WordKind, readonly string[]>> = {
  given: split(text.given),
  family: split(text.family),
  noun: split(text.noun),
  verb: split(text.verb),
  adjective: split(text.adjective),
  place: split(text.place).map((place) => place.replaceAll('-', ' ')),
  rare: split(text.rare),
};

function split(words: string): string[] {
  return words.split(/\s+/);
}

export function randomWord(random: Random, kind: WordKind): string {
  return random.pick(lists[kind]) ?? kind;
}

export function randomPersonName(random: Random): string {
  return `${randomWord(random, 'given')} ${randomWord(random, 'family')}`;
}

export function randomTopicName(random: Random): string {
  return random.next() < 0.5
    ? `${randomWord(random, 'adjective')} ${randomWord(random, 'noun')}`
    : `${randomWord(random, 'noun')} in ${randomWord(random, 'place')}`;
}

/** Returns a random message. One in forty has a list, one has code; one in a thousand of the rest has a rare word. */
export function randomChatLine(random: Random): string {
  const a = randomWord(random, 'noun');
  const b = randomWord(random, 'noun');
  const kind = random.below(40);
  if (kind === 0) return `\`\`\`\n${a}.${b}(${random.below(1000)})\n\`\`\``;
  if (kind === 1)
    return `Two things:\n- ${randomWord(random, 'verb')} the ${a}\n- the ${b} is **${randomWord(random, 'adjective')}**`;
  if (kind === 2) return `see https://docs.example.com/${a}/${b}`;
  if (kind < 12)
    return `is the ${randomWord(random, 'adjective')} ${a} in ${randomWord(random, 'place')} still ${randomWord(random, 'adjective')}?`;
  if (kind < 22) return `I ${randomWord(random, 'verb')} the ${a}, the ${b} comes next`;
  if (random.below(1000) === 0) return `what a ${randomWord(random, 'rare')} of a ${a}`;
  return `${randomWord(random, 'verb')} the ${randomWord(random, 'adjective')} ${a} and the ${b} near ${randomWord(random, 'place')}`;
}
