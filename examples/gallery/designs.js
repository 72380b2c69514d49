/** The pages, by the id of their section. */
const DESIGNS = {
  magazine: 'A serif magazine',
  tech: 'A dark tech blog',
  news: 'Dense news',
  docs: 'Documentation',
  phone: 'A phone',
};

/** Width, height and layers of each picture: a color, and the path that it fills or the name that it writes. */
const PICTURES = {
  ferry: [
    [600, 400],
    ['#f3e3d0', 'M0 0h600v400H0z'],
    ['#e7ae4a', 'M235 60a55 55 0 1 0 .1 0z'],
    ['#c0532f', 'M0 170h600v130H0z'],
    ['#f3e3d0', 'M40 300a75 75 0 0 1 150 0zM225 300a75 75 0 0 1 150 0zM410 300a75 75 0 0 1 150 0z'],
    ['#c9a48a', 'M0 300h600v100H0z'],
  ],
  ink: [
    [600, 400],
    ['#20303c', 'M0 0h600v400H0z'],
    ['#c5402f', 'M420 50a115 115 0 1 0 .1 0z'],
    ['#8fa9a1', 'M0 280q150-70 300 0t300 0v120H0z'],
    ['#dfe5e0', 'M0 335q150-55 300 0t300 0v65H0z'],
  ],
  wheel: [
    [640, 360],
    ['#e9eee6', 'M0 0h640v360H0z'],
    ['#2e6a5b', 'M320 40a140 140 0 1 0 .1 0zm0 22a118 118 0 1 1-.1 0z'],
    ['#2e6a5b', 'M317 50h6v260h-6zM190 177h260v6H190z'],
    ['#c0532f', 'M320 160a20 20 0 1 0 .1 0z'],
  ],
  // A dark mark on nothing, 500 x 160.
  logo: [
    [500, 160],
    ['#3a4a9f', 'M80 30a50 50 0 1 0 .1 0z'],
    ['#f2b545', 'M15 100q60-50 130-38l-2 12Q80 62 22 110z'],
    ['#1c2340', 'PlanetDB'],
  ],
  portrait: [
    [400, 600],
    ['#d9cfc0', 'M0 0h400v600H0z'],
    ['#39424e', 'M60 600q0-210 140-210t140 210z'],
    ['#b9835a', 'M200 110a95 115 0 1 0 .1 0z'],
    ['#2b2320', 'M100 210q0-130 100-130t100 130q-40-60-100-60t-100 60z'],
  ],
};

/** The ads, by the name of their slot: title, content, link text and picture. */
const ADS = {
  ferry: ['The Eleven-Minute Ferry', 'A horizon before nine o’clock, for one coin.', 'See the timetable', 'ferry'],
  logo: [
    'PlanetDB: Postgres that sleeps when you do',
    'Branches in a second, billed by the query.',
    'Start free',
    'logo',
  ],
  ink: [
    'Black, with one spoon of blue in it',
    'Tidewater grinds ink by hand for people who still print. The spring set has four colors and a map of where they come from.',
    'See the colors',
    'ink',
  ],
  'words-inline': ['Text without an image', 'It needs no more room than its words.', 'Read more'],
  'words-native': [
    'The night school of small repairs',
    'Ten evenings: zips, hinges, radios and one bicycle.',
    'Choose an evening',
  ],
  wheel: [
    'Oduya Wheels',
    'Trued by ear, on Thursdays. Bring the bicycle, leave the worry.',
    'Book a Thursday',
    'wheel',
  ],
  portrait: [
    'Ines Moreau reads',
    'Four evenings of new stories, in the old customs house.',
    'Reserve a seat',
    'portrait',
  ],
  'words-sidebar': ['Pell & Sons, Typefounders', 'Eight point to ninety-six, in lead you can lift.', 'Order a sample'],
  corner: ['The Saturday edition', 'Four essays, by mail.', 'Read one first', 'ink'],
};

function draw([[width, height], ...layers]) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  for (const [color, path] of layers) {
    context.fillStyle = color;
    context.font = '700 60px system-ui';
    if (path.startsWith('M')) context.fill(new Path2D(path));
    else context.fillText(path, 150, 102);
  }
  return canvas.toDataURL();
}

const pictures = Object.fromEntries(Object.entries(PICTURES).map(([name, layers]) => [name, draw(layers)]));
const { content } = document.querySelector('template');
for (const [id, title] of Object.entries(DESIGNS)) {
  const section = Object.assign(document.createElement('section'), { id });
  section.append(content.cloneNode(true));
  section.querySelector('h2').textContent = title;
  for (const image of section.querySelectorAll('img')) image.src = pictures.ferry;
  document.body.append(section);
}
// The section of the URL exists only now.
if (location.hash) location.replace(location.hash);

/** As a server would write them into the page: `deliveredMarkup()`. */
const results = [...document.querySelectorAll('broadsheet-slot')].map((slot, index) => {
  const slotId = slot.getAttribute('name');
  const [title, text, linkText, picture] = ADS[slotId];
  return {
    slotId,
    format: slot.getAttribute('format').toUpperCase(),
    filled: true,
    id: `ad-${index}`,
    clickToken: `${slotId}:${index}`,
    title,
    content: text,
    linkText,
    linkUrl: 'https://example.com/',
    imageUrl: pictures[picture],
  };
});
const delivered = document.createElement('script');
delivered.type = 'application/json';
delivered.dataset.broadsheetDelivered = '';
delivered.textContent = JSON.stringify({ results });
document.body.append(delivered);
