/**
 * Common English words that a shopper means as they are, also where no product has them: "shirt" is no misspelled "short".
 * Stop words of a search are not among them.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `small smaller large larger medium little heavy light lighter short tall thick thin narrow broad round square cheap
  fresh clean clear quiet quick quickly sharp smart smooth sweet solid spare basic plain fancy fine simple modern classic
  vintage retro rustic luxury premium elegant stylish trendy unique special original genuine funny crazy happy lucky
  white black brown green blue grey gray pink purple orange yellow golden silver beige cream coral peach
  glass metal paper plastic cotton leather linen velvet satin rubber steel stone marble
  shirt blouse sweater jumper hoodie jacket coat dress skirt pants trousers jeans shorts socks shoes sneakers boots sandals
  slippers gloves scarf shawl underwear pajamas pyjamas swimsuit belt glasses sunglasses tights
  chair table couch sofa shelf stool bench desk drawer closet wardrobe mattress blanket duvet towel curtain carpet rug
  plate dish fork spoon knife kettle teapot toaster oven stove grill fridge freezer blender mixer pitcher jar tray napkin
  phone laptop tablet computer monitor screen printer camera radio speaker stereo guitar piano drums violin
  horse house mouse cat dog puppy kitten rabbit fish bird hamster
  beach water river ocean garden kitchen bathroom bedroom office school travel camping hiking sport sports
  bread cheese fruit apple grape lemon chocolate candy cookie coffee drink juice sugar spice sauce honey
  flower flowers plant plants roses seeds grass
  board books magazine story novel puzzle puzzles games toys doll teddy balloon
  bicycle bike motorcycle truck train plane boats trailer scooter skates skateboard
  first second third other another every which where while their there these those being could should about again
  never always often under after before between still since until right wrong great think thing things today
  woman women mother father sister brother family friend friends child children baby babies adult teens
  world place north south east west point power price prize sale sales offer order shipping delivery return refund store
  brand label cover paint paints brush brushes tools drill hammer screws nails ladder`.split(/\s+/),
);
