CREATE TABLE `message_index` (
	`id` integer PRIMARY KEY NOT NULL,
	`after_id` integer NOT NULL,
	`up_to_id` integer NOT NULL
);
--> statement-breakpoint
-- Nothing is indexed yet; the server does that in small steps while it runs.
INSERT INTO `message_index` (`id`, `after_id`, `up_to_id`) SELECT 1, coalesce(max(`id`), 0), coalesce(max(`id`), 0) FROM `messages`;
--> statement-breakpoint
-- FTS5 knows the characters of 2012. Without the list, newer emojis would be letters of the word before them.
CREATE VIRTUAL TABLE `message_words` USING fts5(content, content = 'messages', content_rowid = 'id', columnsize = 0, tokenize = "unicode61 remove_diacritics 2 separators '⁦⁧⁨⁩₺₻₼₽₾₿⃀⃁↊↋⏴⏵⏶⏷⏸⏹⏺⏻⏼⏽⏾⏿␧␨␩✀⭍⭎⭏⭚⭛⭜⭝⭞⭟⭠⭡⭢⭣⭤⭥⭦⭧⭨⭩⭪⭫⭬⭭⭮⭯⭰⭱⭲⭳⭶⭷⭸⭹⭺⭻⭼⭽⭾⭿⮀⮁⮂⮃⮄⮅⮆⮇⮈⮉⮊⮋⮌⮍⮎⮏⮐⮑⮒⮓⮔⮕⮖⮗⮘⮙⮚⮛⮜⮝⮞⮟⮠⮡⮢⮣⮤⮥⮦⮧⮨⮩⮪⮫⮬⮭⮮⮯⮰⮱⮲⮳⮴⮵⮶⮷⮸⮹⮺⮻⮼⮽⮾⮿⯀⯁⯂⯃⯄⯅⯆⯇⯈⯉⯊⯋⯌⯍⯎⯏⯐⯑⯒⯓⯔⯕⯖⯗⯘⯙⯚⯛⯜⯝⯞⯟⯠⯡⯢⯣⯤⯥⯦⯧⯨⯩⯪⯫⯬⯭⯮⯯⯰⯱⯲⯳⯴⯵⯶⯷⯸⯹⯺⯻⯼⯽⯾⯿⸼⸽⸾⸿⹀⹁⹂⹃⹄⹅⹆⹇⹈⹉⹊⹋⹌⹍⹎⹏⹐⹑⹒⹓⹔⹕⹖⹗⹘⹙⹚⹛⹜⹝⿼⿽⿾⿿🀬🀭🀮🀯🂔🂕🂖🂗🂘🂙🂚🂛🂜🂝🂞🂟🂯🂰🂿🃀🃐🃠🃡🃢🃣🃤🃥🃦🃧🃨🃩🃪🃫🃬🃭🃮🃯🃰🃱🃲🃳🃴🃵🃶🃷🃸🃹🃺🃻🃼🃽🃾🃿🄍🄎🄏🄯🅬🅭🅮🅯🆛🆜🆝🆞🆟🆠🆡🆢🆣🆤🆥🆦🆧🆨🆩🆪🆫🆬🆭🆮🆯🆰🆱🆲🆳🆴🆵🆶🆷🆸🆹🆺🆻🆼🆽🆾🆿🇀🇁🇂🇃🇄🇅🇆🇇🇈🇉🇊🇋🇌🇍🇎🇏🇐🇑🇒🇓🇔🇕🇖🇗🇘🇙🇚🇛🇜🇝🇞🇟🇠🇡🇢🇣🇤🇥🈃🈄🈅🈆🈇🈈🈉🈊🈋🈌🈍🈎🈏🈻🈼🈽🈾🈿🉉🉊🉋🉌🉍🉎🉏🉒🉓🉔🉕🉖🉗🉘🉙🉚🉛🉜🉝🉞🉟🉠🉡🉢🉣🉤🉥🉦🉧🉨🉩🉪🉫🉬🉭🉮🉯🉰🉱🉲🉳🉴🉵🉶🉷🉸🉹🉺🉻🉼🉽🉾🉿🊀🊁🊂🊃🊄🊅🊆🊇🊈🊉🊊🊋🊌🊍🊎🊏🊐🊑🊒🊓🊔🊕🊖🊗🊘🊙🊚🊛🊜🊝🊞🊟🊠🊡🊢🊣🊤🊥🊦🊧🊨🊩🊪🊫🊬🊭🊮🊯🊰🊱🊲🊳🊴🊵🊶🊷🊸🊹🊺🊻🊼🊽🊾🊿🋀🋁🋂🋃🋄🋅🋆🋇🋈🋉🋊🋋🋌🋍🋎🋏🋐🋑🋒🋓🋔🋕🋖🋗🋘🋙🋚🋛🋜🋝🋞🋟🋠🋡🋢🋣🋤🋥🋦🋧🋨🋩🋪🋫🋬🋭🋮🋯🋰🋱🋲🋳🋴🋵🋶🋷🋸🋹🋺🋻🋼🋽🋾🋿🌡🌢🌣🌤🌥🌦🌧🌨🌩🌪🌫🌬🌭🌮🌯🌶🍽🍾🍿🎔🎕🎖🎗🎘🎙🎚🎛🎜🎝🎞🎟🏅🏋🏌🏍🏎🏏🏐🏑🏒🏓🏔🏕🏖🏗🏘🏙🏚🏛🏜🏝🏞🏟🏱🏲🏳🏴🏵🏶🏷🏸🏹🏺🏻🏼🏽🏾🏿🐿👁📸📽📾📿🔾🔿🕄🕅🕆🕇🕈🕉🕊🕋🕌🕍🕎🕏🕨🕩🕪🕫🕬🕭🕮🕯🕰🕱🕲🕳🕴🕵🕶🕷🕸🕹🕺🕻🕼🕽🕾🕿🖀🖁🖂🖃🖄🖅🖆🖇🖈🖉🖊🖋🖌🖍🖎🖏🖐🖑🖒🖓🖔🖕🖖🖗🖘🖙🖚🖛🖜🖝🖞🖟🖠🖡🖢🖣🖤🖥🖦🖧🖨🖩🖪🖫🖬🖭🖮🖯🖰🖱🖲🖳🖴🖵🖶🖷🖸🖹🖺🖻🖼🖽🖾🖿🗀🗁🗂🗃🗄🗅🗆🗇🗈🗉🗊🗋🗌🗍🗎🗏🗐🗑🗒🗓🗔🗕🗖🗗🗘🗙🗚🗛🗜🗝🗞🗟🗠🗡🗢🗣🗤🗥🗦🗧🗨🗩🗪🗫🗬🗭🗮🗯🗰🗱🗲🗳🗴🗵🗶🗷🗸🗹🗺🙁🙂🙃🙄🙐🙑🙒🙓🙔🙕🙖🙗🙘🙙🙚🙛🙜🙝🙞🙟🙠🙡🙢🙣🙤🙥🙦🙧🙨🙩🙪🙫🙬🙭🙮🙯🙰🙱🙲🙳🙴🙵🙶🙷🙸🙹🙺🙻🙼🙽🙾🙿🛆🛇🛈🛉🛊🛋🛌🛍🛎🛏🛐🛑🛒🛓🛔🛕🛖🛗🛘🛙🛚🛛🛜🛝🛞🛟🛠🛡🛢🛣🛤🛥🛦🛧🛨🛩🛪🛫🛬🛭🛮🛯🛰🛱🛲🛳🛴🛵🛶🛷🛸🛹🛺🛻🛼🛽🛾🛿🝴🝵🝶🝷🝸🝹🝺🝻🝼🝽🝾🝿🞀🞁🞂🞃🞄🞅🞆🞇🞈🞉🞊🞋🞌🞍🞎🞏🞐🞑🞒🞓🞔🞕🞖🞗🞘🞙🞚🞛🞜🞝🞞🞟🞠🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺🞻🞼🞽🞾🞿🟀🟁🟂🟃🟄🟅🟆🟇🟈🟉🟊🟋🟌🟍🟎🟏🟐🟑🟒🟓🟔🟕🟖🟗🟘🟙🟚🟛🟜🟝🟞🟟🟠🟡🟢🟣🟤🟥🟦🟧🟨🟩🟪🟫🟬🟭🟮🟯🟰🟱🟲🟳🟴🟵🟶🟷🟸🟹🟺🟻🟼🟽🟾🟿🠀🠁🠂🠃🠄🠅🠆🠇🠈🠉🠊🠋🠌🠍🠎🠏🠐🠑🠒🠓🠔🠕🠖🠗🠘🠙🠚🠛🠜🠝🠞🠟🠠🠡🠢🠣🠤🠥🠦🠧🠨🠩🠪🠫🠬🠭🠮🠯🠰🠱🠲🠳🠴🠵🠶🠷🠸🠹🠺🠻🠼🠽🠾🠿🡀🡁🡂🡃🡄🡅🡆🡇🡈🡉🡊🡋🡌🡍🡎🡏🡐🡑🡒🡓🡔🡕🡖🡗🡘🡙🡚🡛🡜🡝🡞🡟🡠🡡🡢🡣🡤🡥🡦🡧🡨🡩🡪🡫🡬🡭🡮🡯🡰🡱🡲🡳🡴🡵🡶🡷🡸🡹🡺🡻🡼🡽🡾🡿🢀🢁🢂🢃🢄🢅🢆🢇🢈🢉🢊🢋🢌🢍🢎🢏🢐🢑🢒🢓🢔🢕🢖🢗🢘🢙🢚🢛🢜🢝🢞🢟🢠🢡🢢🢣🢤🢥🢦🢧🢨🢩🢪🢫🢬🢭🢮🢯🢰🢱🢲🢳🢴🢵🢶🢷🢸🢹🢺🢻🢼🢽🢾🢿🣀🣁🣂🣃🣄🣅🣆🣇🣈🣉🣊🣋🣌🣍🣎🣏🣐🣑🣒🣓🣔🣕🣖🣗🣘🣙🣚🣛🣜🣝🣞🣟🣠🣡🣢🣣🣤🣥🣦🣧🣨🣩🣪🣫🣬🣭🣮🣯🣰🣱🣲🣳🣴🣵🣶🣷🣸🣹🣺🣻🣼🣽🣾🣿🤀🤁🤂🤃🤄🤅🤆🤇🤈🤉🤊🤋🤌🤍🤎🤏🤐🤑🤒🤓🤔🤕🤖🤗🤘🤙🤚🤛🤜🤝🤞🤟🤠🤡🤢🤣🤤🤥🤦🤧🤨🤩🤪🤫🤬🤭🤮🤯🤰🤱🤲🤳🤴🤵🤶🤷🤸🤹🤺🤻🤼🤽🤾🤿🥀🥁🥂🥃🥄🥅🥆🥇🥈🥉🥊🥋🥌🥍🥎🥏🥐🥑🥒🥓🥔🥕🥖🥗🥘🥙🥚🥛🥜🥝🥞🥟🥠🥡🥢🥣🥤🥥🥦🥧🥨🥩🥪🥫🥬🥭🥮🥯🥰🥱🥲🥳🥴🥵🥶🥷🥸🥹🥺🥻🥼🥽🥾🥿🦀🦁🦂🦃🦄🦅🦆🦇🦈🦉🦊🦋🦌🦍🦎🦏🦐🦑🦒🦓🦔🦕🦖🦗🦘🦙🦚🦛🦜🦝🦞🦟🦠🦡🦢🦣🦤🦥🦦🦧🦨🦩🦪🦫🦬🦭🦮🦯🦰🦱🦲🦳🦴🦵🦶🦷🦸🦹🦺🦻🦼🦽🦾🦿🧀🧁🧂🧃🧄🧅🧆🧇🧈🧉🧊🧋🧌🧍🧎🧏🧐🧑🧒🧓🧔🧕🧖🧗🧘🧙🧚🧛🧜🧝🧞🧟🧠🧡🧢🧣🧤🧥🧦🧧🧨🧩🧪🧫🧬🧭🧮🧯🧰🧱🧲🧳🧴🧵🧶🧷🧸🧹🧺🧻🧼🧽🧾🧿🨀🨁🨂🨃🨄🨅🨆🨇🨈🨉🨊🨋🨌🨍🨎🨏🨐🨑🨒🨓🨔🨕🨖🨗🨘🨙🨚🨛🨜🨝🨞🨟🨠🨡🨢🨣🨤🨥🨦🨧🨨🨩🨪🨫🨬🨭🨮🨯🨰🨱🨲🨳🨴🨵🨶🨷🨸🨹🨺🨻🨼🨽🨾🨿🩀🩁🩂🩃🩄🩅🩆🩇🩈🩉🩊🩋🩌🩍🩎🩏🩐🩑🩒🩓🩔🩕🩖🩗🩘🩙🩚🩛🩜🩝🩞🩟🩠🩡🩢🩣🩤🩥🩦🩧🩨🩩🩪🩫🩬🩭🩮🩯🩰🩱🩲🩳🩴🩵🩶🩷🩸🩹🩺🩻🩼🩽🩾🩿🪀🪁🪂🪃🪄🪅🪆🪇🪈🪉🪊🪋🪌🪍🪎🪏🪐🪑🪒🪓🪔🪕🪖🪗🪘🪙🪚🪛🪜🪝🪞🪟🪠🪡🪢🪣🪤🪥🪦🪧🪨🪩🪪🪫🪬🪭🪮🪯🪰🪱🪲🪳🪴🪵🪶🪷🪸🪹🪺🪻🪼🪽🪾🪿🫀🫁🫂🫃🫄🫅🫆🫇🫈🫉🫊🫋🫌🫍🫎🫏🫐🫑🫒🫓🫔🫕🫖🫗🫘🫙🫚🫛🫜🫝🫞🫟🫠🫡🫢🫣🫤🫥🫦🫧🫨🫩🫪🫫🫬🫭🫮🫯🫰🫱🫲🫳🫴🫵🫶🫷🫸🫹🫺🫻🫼🫽🫾🫿'");
--> statement-breakpoint
CREATE VIRTUAL TABLE `message_vocabulary` USING fts5vocab(message_words, instance);
--> statement-breakpoint
-- A deleted word is overwritten in the index, and merging is left to the server, which does it in small steps.
INSERT INTO `message_words` (`message_words`, `rank`) VALUES ('secure-delete', 1), ('automerge', 0), ('crisismerge', 1999);
--> statement-breakpoint
CREATE TRIGGER `messages_forget_deleted` BEFORE DELETE ON `messages`
WHEN old.`content` <> '' AND EXISTS (SELECT 1 FROM `message_index` WHERE old.`id` > `after_id` AND old.`id` <= `up_to_id`) BEGIN
	INSERT INTO `message_words` (`message_words`, `rowid`, `content`) VALUES ('delete', old.`id`, old.`content`);
END;
--> statement-breakpoint
CREATE TRIGGER `messages_forget_emptied` AFTER UPDATE OF `content` ON `messages`
WHEN old.`content` <> '' AND EXISTS (SELECT 1 FROM `message_index` WHERE old.`id` > `after_id` AND old.`id` <= `up_to_id`) BEGIN
	INSERT INTO `message_words` (`message_words`, `rowid`, `content`) VALUES ('delete', old.`id`, old.`content`);
	INSERT INTO `message_words` (`rowid`, `content`) SELECT new.`id`, new.`content` WHERE new.`content` <> '';
END;
