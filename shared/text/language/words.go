package language

import (
	"strings"
	"sync"
)

// languages are those recognised by their small words: the commonest ones that
// do not depend on the subject. Single letters of ASCII are left out; a word
// may belong to several languages.
var languages = [...]struct {
	tag    string
	script script
	words  string
}{
	{"en", latin, "the of to that was were are be been have has had will would they their there which who what when it its he she his her you your we our about into than these those such more most some an at but by could should over may also only other can may any all must"},
	{"de", latin, "der die das und den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde wenn kann"},
	{"fr", latin, "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec son aux ou mais nous sa ont été cette ses être comme leur si même fait dont elle tout peut vous ces sans lui votre"},
	{"es", latin, "de la que el en los del se las por un para con no una su al lo es como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos esto está son puede"},
	{"it", latin, "di che la il un per una in con del è non da si le dei nel alla al della ha come più sono gli anche ma dal ed lo nella se su questo delle essere stato tra quando ai degli fra suo dalla loro ancora hanno era cui questa può sulla"},
	{"pt", latin, "de que do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito nos já também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas esse você são está foi ser pode este esta"},
	{"nl", latin, "de het een van en in is dat op te zijn met voor niet aan er om ook als dan maar bij door uit naar heeft nog wordt kan worden of hij deze over meer wat die geen was tot hebben moet wel zich werd haar kunnen onder"},
	{"sv", latin, "och att det som en på är av för med den till inte om ett han men var sig från vi så kan har eller när hade jag detta också efter denna vid mot ska skulle utan vara över mer där nu då alla finns används"},
	{"da", latin, "og at det er en den til på som for med af de ikke der et har om han fra jeg vi men var ved så kan blev efter sig eller være også hvor nu over når havde disse denne skal ud blive kun mod alle bruges mange"},
	{"no", latin, "og det er en på som for med av at til ikke den har om de et fra jeg vi men var han ved så kan etter seg eller være også hvor når hadde disse denne skal ut blir kun mot alle brukes noe dette må nå mange bare ble"},
	{"fi", latin, "ja on ei että se oli ovat hän mutta kun niin myös tai sen joka ole kuin jos voi mukaan ne tämä sitä jotka vain vielä olla kanssa sekä hänen tämän voidaan nyt mitä joita näin siitä ennen jälkeen noin ollut en tätä käytetään"},
	{"pl", latin, "na się nie do to że jest od po za dla jak przez jego przy ale lub jako być ich są tym tego oraz był która które który tylko jej już może co czy ze będzie można bez tej gdy nad jeśli pod było także zostanie"},
	{"cs", latin, "na je se že to pro do jsou jako který od po za jeho při také ale nebo které by byl být ve která až jsem už bylo není podle tak si ze bude než však pokud kde může jen více této nebyl lze jeho jejich před pod"},
	{"sk", latin, "na je sa že to pre do sú ako ktorý od po za jeho pri tiež ale alebo ktoré by bol byť vo ktorá až som už bolo nie podľa tak si zo bude než však ak kde môže len viac tejto nebol možno ich pred pod"},
	{"hu", latin, "az és hogy nem egy is ez meg volt van csak már de ha el mint még vagy kell azt sem azonban minden lehet ki mert nagy után ezt amely aki lesz között illetve pedig szerint nincs majd ezek akkor alatt által fel való"},
	{"ro", latin, "de și în la cu un nu pe din este care că mai pentru sau fi se au prin al ale sunt ca dar după fost lui ce acest această poate fie iar dacă într astfel foarte ei doar către asupra când cele acestea avea unei unui şi"},
	{"tr", latin, "ve bir bu için ile de da olarak çok daha olan gibi en kadar ne sonra ancak var her olduğu değil ise mi ya ama veya göre tarafından iki diye oldu bunu yeni ki kendi şekilde üzerinde eğer hem bütün nasıl şey belirtilen değeri"},
	{"id", latin, "yang dan di untuk dari dengan ini itu tidak pada dalam adalah akan ke oleh sebagai juga dapat atau telah bisa karena ada saya mereka lebih tersebut ia kami anda sudah saat bahwa kepada hanya seperti lain menjadi jika serta para tak belum ketika"},
	{"vi", latin, "của và là các được trong có không cho một người này những với để khi đã từ đến cũng như vào ra về tại nhiều đó theo trên sẽ hay lại phải nếu sau còn vì hoặc bị rằng năm thể sử dụng bạn hãy đang nào chỉ dùng mọi bởi đều nó thì mà"},
	{"hr", latin, "je na se da su za od koji kao nije koja ili koje bi sa biti samo do što iz po ne to ako ali može te prema kako još li ima više nema bio bila više kada vam treba ovaj nego također između"},
	{"sl", latin, "je na in se da so za ki od kot ni pri bi iz po ne to ali če pa bo tudi lahko med kako še ima več nima bil bila sta ter tega bolj zaradi samo kjer pred vse ste sem katero kateri"},
	{"ca", latin, "de la que el en els del les per amb no una és un al es com més però seu aquest aquesta són també entre quan sense sobre fins hi ha on des tot durant tots altres ser pot va han dels als seva ni si molt cap"},
	{"et", latin, "ja on ei et see oli kui ka mis ning oma või aga siis ta selle seda nii mida veel kes kas ole välja kuid ainult juba olla kõik saab pole tema üle enne pärast kuni ning sest kuidas peab tuleb mitte"},
	{"lt", latin, "ir yra kad su iš tai kaip bet po į už apie buvo jo ar tik dar jei nėra kuris kuri prie būti ne per nuo gali taip pat tačiau arba jų kai savo bus jau iki dėl turi buvo šis ši"},
	{"lv", latin, "un ir ka ar no par uz tas kas bet pie kā arī nav vai tikai lai tā bija pēc jau līdz būt viņa savu ja var tiek gan vēl šo šī kurā tiks ko ne kad pa šis kā to"},

	{"ru", cyrillic, "и в не на что с по это как из у за от к но для он его же о или бы все а так был при до ее только если они уже то также может быть были чтобы можно нет где во еще со этого который когда есть будет"},
	{"uk", cyrillic, "і в не на що з та як за від до у це для по але про або його є був при які який також вже щоб може бути були якщо він вона так й ще тільки цього через після її де них буде ви із має під між"},
	{"be", cyrillic, "і ў не на што з па як за ад да у гэта для але або яго ён быў пры якія які таксама ўжо каб можа быць былі калі яна так яшчэ толькі гэтага праз пасля дзе іх будзе вы мае пад яны"},
	{"bg", cyrillic, "и на в не се да за от с по това като е са че или но до при как му който ще той бе така само още след има което които под между през може ако към си бъде също този тази ви към съм"},
	{"sr", cyrillic, "и у је на се да су за од који као није која или које би са бити само до што из по не то ако али може те према како још ли има више нема био била када вам треба овај него такође"},
	{"mk", cyrillic, "и на во не се да за од со по тоа како е ги го или но до при што кој ќе тој само уште има кои под меѓу преку може ако кон биде исто овој оваа ви сум беше која сите"},
	{"kk", cyrillic, "және мен бұл үшін бір да де болып деп бойынша болды туралы емес осы ол қазақстан керек жоқ барлық немесе кейін пен бен болады туралы бар еді жаңа сол деген ретінде"},
	{"mn", cyrillic, "нь нэг энэ байна юм болон байгаа бол гэж дээр ба хийх монгол улсын тухай болох байсан гэсэн мөн эсвэл биш хувь уу аас ийн бусад"},

	{"ar", arabic, "في من على إلى أن عن هذا التي الذي هذه مع كان لا ما بين كما أو ذلك قد بعد كل إن لم هو هي غير حتى وقد كانت عند قبل وقال وفي وهو تم يتم أي ومن الى ان"},
	{"fa", arabic, "در به از که این را با است برای آن یک تا بر هم می نیز شده بود خود شد ها اما کرد یا دو باید هر پس اگر ما های کند بین او کرده بودند دارد نمی چه آنها شود نیست"},
	{"ur", arabic, "کے میں کی ہے اور سے کا کو اس نے پر کہ یہ ہیں بھی ایک تھا کر جو کیا نہیں گیا تو وہ ہو لیے ان تھی اپنے کچھ ہی جا والے بعد یا رہے تھے دیا ساتھ"},

	{"hi", devanagari, "के में की है और से का को पर ने कि यह हैं भी एक था इस नहीं तो कर जो लिए ही हो गया या थे अपने कुछ साथ वह थी बाद किया रहा द्वारा होता"},
	{"mr", devanagari, "आहे आणि या व हे ही तो ते असे आहेत केला केली नाही होते होता त्या मध्ये साठी पण एक झाली झाले तर की म्हणून किंवा असलेल्या यांनी काही त्यांनी असून"},
	{"ne", devanagari, "छ र को मा हो पनि गरेको भएको यो लागि गर्न छन् एक भने तर थियो हुने गरी हुन्छ उनले गर्ने नै रहेको यस छैन तथा वा सबै त्यो हुन"},
}

// Small words of English that are keywords of programming languages as well.
// They help to tell English from other languages, but make no prose.
const (
	keywords = "and as by else for from if import in is not on or return then this true false with while do new"
	keyword  = 63 // their place among the languages
	english  = 0  // the place of English
)

// smallWord is what is known of one.
type smallWord struct {
	languages uint64 // bit i for languages[i]
	number    int    // its own, below maxWords
}

// maxWords bounds the small words of all languages.
const maxWords = 2048

// smallWords is made at first use.
var smallWords = sync.OnceValue(func() map[string]smallWord {
	table := make(map[string]smallWord, maxWords)
	add := func(words string, language int) {
		for word := range strings.FieldsSeq(words) {
			known, ok := table[word]
			if !ok {
				known.number = len(table)
			}
			known.languages |= 1 << language
			table[word] = known
		}
	}
	add(keywords, keyword)
	for i, l := range languages {
		add(l.words, i)
	}
	return table
})
