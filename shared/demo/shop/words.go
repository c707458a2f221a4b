package shop

import "strings"

// department is a category of the catalogue and what its products are made of.
type department struct {
	slug, name string
	code       string // of its products, before their number
	low, high  int64  // prices, in yuan or dollars
	ranged     int    // per cent of products whose price depends on the choice
	weighed    bool   // sold by weight: with a price for 100 g
	english    bool   // from abroad: English names, prices in US dollars
	brands     []string
	traits     []string // words in front of the kind
	kinds      []string
	choices    []string // colour, size or content
}

func list(words string) []string { return strings.Split(words, "|") }

// perDepartment is the number of products of each.
const perDepartment = 60

// departments has nothing that exists: all brands are invented.
var departments = []department{
	{
		slug: "shouji", name: "手机数码", code: "SJ", low: 59, high: 6999, ranged: 12,
		brands:  list("澜声|拓界|星屿|VOLTEN|南微|ORBIS|北斗七"),
		traits:  list("真无线降噪|曲面屏|快充|轻薄|防抖|长续航|磁吸|折叠"),
		kinds:   list("蓝牙耳机|5G手机|移动电源|运动相机|智能手表|平板电脑|手机壳|充电器|数据线|录音笔"),
		choices: list("星夜黑|月光白|8GB+256GB 湖蓝|12GB+512GB 曜石灰|标准版|套装版|2米|20000mAh"),
	},
	{
		slug: "jiadian", name: "家用电器", code: "JD", low: 89, high: 8999, ranged: 6,
		brands:  list("暖石|青窑|HAVENO|晨工|沐泉|海格朗"),
		traits:  list("变频|静音|大容量|一级能效|台式|壁挂|无叶|免安装"),
		kinds:   list("空气净化器|电饭煲|滚筒洗衣机|双门冰箱|吸尘器|加湿器|电热水壶|电风扇|微波炉|洗碗机"),
		choices: list("白色|5L|10公斤|218升|1.5匹|米色 4人份|家用款|B31D"),
	},
	{
		slug: "diannao", name: "电脑办公", code: "DN", low: 19, high: 12999, ranged: 8,
		brands:  list("拓界|KEYSMITH|方程|雨田|ORBIS|印时"),
		traits:  list("机械|无线|高刷新率|商务|人体工学|双面|千兆|便携"),
		kinds:   list("键盘|鼠标|显示器|笔记本电脑|激光打印机|移动硬盘|路由器|办公椅|投影仪|扩展坞"),
		choices: list("87键 茶轴|104键 红轴|27英寸 2K|16G/1T|黑色|1TB|USB-C 八合一|灰白"),
	},
	{
		slug: "shipin", name: "食品生鲜", code: "SP", low: 5, high: 299, weighed: true, ranged: 10,
		brands:  list("谷雨村|山禾|老坛记|渔光|陇上|三月茶"),
		traits:  list("有机|现磨|手工|当季|低糖|冷榨|高山|原切"),
		kinds:   list("五常大米|挂面|菜籽油|毛尖绿茶|牛肉干|核桃仁|脐橙|海虾|黑木耳|蜂蜜"),
		choices: list("500g|1kg|250g×2袋|5kg|80g|净重2kg|礼盒装 750g|散装 1kg"),
	},
	{
		slug: "fushi", name: "服饰鞋包", code: "FS", low: 29, high: 1899, ranged: 40,
		brands:  list("素织|木棉里|NORDHALL|行者|雁归|绫罗坊"),
		traits:  list("纯棉|宽松|加绒|复古|防水|修身|真丝|牛皮"),
		kinds:   list("T恤|牛仔裤|羽绒服|连衣裙|双肩包|帆布鞋|针织衫|风衣|腰带|棒球帽"),
		choices: list("男款|女款|S-XXL|均码|米白|藏青|2024秋季新款|黑色 36-40码"),
	},
	{
		slug: "meizhuang", name: "美妆个护", code: "MZ", low: 9, high: 899, ranged: 10,
		brands:  list("芷若|LUMEA|白露|草本社|肌语|澄净"),
		traits:  list("氨基酸|保湿|控油|无硅油|烟酰胺|清爽|修护|哑光"),
		kinds:   list("洁面乳|洗发水|面霜|防晒霜|口红|面膜|牙膏|沐浴露|精华液|护手霜"),
		choices: list("100ml|500ml×2|30g|SPF50+ 50ml|#02 豆沙|10片装|家庭装|旅行装 60ml"),
	},
	{
		slug: "tushu", name: "图书文具", code: "TS", low: 3, high: 398, ranged: 3,
		brands:  list("墨耕书局|海天文社|纸间|笔墨堂|鹿鸣|九章"),
		traits:  list("精装|手绘|典藏版|口袋本|活页|速干|注音|双色"),
		kinds:   list("《山居笔记》|《算法漫谈》|《食物小史》|《儿童天文》|中性笔|笔记本|水彩套装|《茶事》|便利贴|《城与河》"),
		choices: list("平装|全三册|12支装|A5 100页|24色|第二版|0.5mm 黑|附赠书签"),
	},
	{
		slug: "yundong", name: "运动户外", code: "YD", low: 19, high: 4599, ranged: 15,
		brands:  list("行者|PEAKLINE|野地|风行客|浪里|足迹"),
		traits:  list("碳纤维|减震|速干|三季|可折叠|防滑|超轻|儿童"),
		kinds:   list("登山杖|跑步鞋|双人帐篷|瑜伽垫|羽毛球拍|自行车头盔|睡袋|泳镜|哑铃|保温水壶"),
		choices: list("一对|39-44码|8mm 加厚|4U|L码|-5℃|10kg×2|600ml"),
	},
	{
		slug: "haiwai", name: "海外购", code: "HW", low: 6, high: 1499, english: true, ranged: 15,
		brands:  list("Larkfield|Osby & Sons|Tern|Maplewright|Quillon|Brannoch"),
		traits:  list("Stainless|Organic|Wireless|Vintage|Merino|Insulated|Cast-Iron|Fragrance-Free"),
		kinds:   list("Travel Mug|Baby Lotion|Desk Lamp|Wool Socks|Skillet|Vitamin D3|Fountain Pen|Throw Blanket|Coffee Grinder|Board Game"),
		choices: list("16 oz|Pack of 3|Midnight Blue|Queen Size|12-inch|360 Softgels|Medium Nib|2-4 Players"),
	},
}

// deals is the category of products on sale, which are in their departments as well.
var deals = department{slug: "tehui", name: "限时特惠"}

// claims describe products, {n} being the name and {k} its kind.
var claims = list("{n}从选材到包装都在自有车间完成，每一批留样，出厂前抽检，检测报告可以向客服索取。|" +
	"这款{k}的设计来自上千条用户反馈：更轻的重量、更顺手的尺寸，以及更少的多余部件。|" +
	"收到货后请当面验收。七天内不影响二次销售可以无理由退换，质量问题由本店承担来回运费。|" +
	"实物拍摄，因显示器不同可能存在色差，请以实物为准；手工测量，误差在 1 到 3 厘米之间属正常。|" +
	"我们做{k}已经十二年，服务过三十多万个家庭，老顾客回购率连续五年超过四成。|" +
	"包装清单：{k}一件、说明书一份、合格证一张。保修期自签收之日起计算，凭订单即可享受服务。|" +
	"适合自用，也适合送礼。下单时备注“礼盒”，仓库会免费更换包装，不放价格单。|" +
	"温馨提示：大促期间订单较多，预计四十八小时内发出，偏远地区时效会延长两到三天。")

// opinions are what customers say.
var opinions = list("包装很结实，物流第二天就到了，质量对得起这个价格。|用了一个星期才来评价，整体满意，做工比想象的好。|" +
	"给爸妈买的，他们说很好用，下次还会光顾。|和实体店一样的东西，便宜了三十多块，划算。|颜色比图片稍深一点，其他没毛病。|" +
	"客服很耐心，问了好几个问题都回答了。|第二次买了，品质稳定。|发货慢了一天，东西不错，给四星。|" +
	"有一点小瑕疵，联系之后补了 10 元，态度可以。|朋友推荐的，果然没有失望。")

var customers = list("木***子|清***9|j***n|春***暖|山***客|1***7|小***鱼|L***y|风***筝|大***海")

var cities = list("上海 青浦区|广东 深圳|浙江 杭州|四川 成都|湖北 武汉|陕西 西安")
